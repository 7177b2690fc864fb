// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/** A PgBouncer process in front of a server of this machine, on 127.0.0.1 only. Runs until {@link #close()}. */
public final class PgBouncer implements AutoCloseable {
    private static final String PROGRAM = "pgbouncer";
    private static final long START_NANOS = 30_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private final PostgresServer server;
    private final int port;
    /** A proxy between PgBouncer and its clients, which counts their connections. */
    private final TcpProxy network;

    private final Path log;
    private final Process process;

    /**
     * Starts a PgBouncer.
     *
     * @param program the executable
     * @param mode its {@code pool_mode}: "session" or "transaction"
     * @param sessions the maximum number of server sessions for all clients together
     * @param server the server; PgBouncer uses its user and database
     * @param folder the folder of its files
     * @param more further lines of its configuration
     * @throws IOException if it cannot be started
     */
    public PgBouncer(Path program, String mode, int sessions, PostgresServer server, Path folder, String... more)
            throws IOException {
        this.server = server;
        this.port = freePort();
        this.network = TcpProxy.to(port);
        this.log = folder.resolve("log");
        Path users = folder.resolve("users");
        Path settings = folder.resolve("settings");
        // The password is in clear text, because PgBouncer needs it for a login with SCRAM.
        Files.writeString(users, "\"" + server.user() + "\" \"" + server.password() + "\"\n");
        Files.writeString(
                settings,
                String.join(
                        "\n",
                        "[databases]",
                        server.user() + " = host=127.0.0.1 port=" + server.port(),
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = scram-sha-256",
                        "auth_file = " + users,
                        "pool_mode = " + mode,
                        "default_pool_size = " + sessions,
                        // PostgreSQL's driver sends this parameter, which PgBouncer would otherwise refuse.
                        "ignore_startup_parameters = extra_float_digits",
                        String.join("\n", more),
                        ""));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            // PgBouncer refuses to run as root. Its files are in this test's folder, readable by all users.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            long begun = System.nanoTime();
            while (!answers()) {
                if (System.nanoTime() - begun > START_NANOS) {
                    throw new IllegalStateException("it does not answer");
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        } catch (RuntimeException | Error late) {
            network.close();
            process.destroyForcibly();
            throw new IllegalStateException(Files.readString(log, UTF_8), late);
        }
    }

    /**
     * {@return the executable named by the system property {@code pgbouncer}, otherwise the one on the {@code PATH};
     *     empty without one}
     */
    public static Optional<Path> program() {
        String named = System.getProperty(PROGRAM);
        Stream<Path> places = named != null
                ? Stream.of(Path.of(named))
                : Stream.of(System.getenv("PATH").split(":")).map(folder -> Path.of(folder, PROGRAM));
        return places.filter(Files::isExecutable).findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("it has ended");
        }
        try (Connection connection = dataSource().getConnection()) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** {@return a data source of unpooled connections to PgBouncer} */
    public PGSimpleDataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {network.port()});
        source.setDatabaseName(server.user());
        source.setUser(server.user());
        source.setPassword(server.password());
        // PgBouncer 1.18 does not support prepared statements in transaction mode.
        source.setPrepareThreshold(0);
        return source;
    }

    /** {@return the number of client connections} */
    public int clients() {
        return network.open();
    }

    @Override
    public void close() {
        network.close();
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        try {
            return "PgBouncer at 127.0.0.1:" + port + "\n" + Files.readString(log, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
