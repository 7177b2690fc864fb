// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server process on this machine, from binaries in Maven artifacts. */
public final class EmbeddedPostgresEngine implements PostgresEngine {
    private final Map<String, String> settings;
    private final Path data;
    private @Nullable EmbeddedPostgres running;
    private int port;

    EmbeddedPostgresEngine(Map<String, String> settings) throws IOException {
        this.settings = settings;
        this.data = Files.createTempDirectory("flexpool-postgres-");
    }

    /**
     * A standby, copied from the data of a stopped primary. Start the standby after the primary runs again.
     *
     * @param primary the primary, stopped
     * @return an engine on another port, not started; once started, it streams from the primary
     */
    static EmbeddedPostgresEngine standbyOf(EmbeddedPostgresEngine primary) throws IOException {
        EmbeddedPostgresEngine standby = new EmbeddedPostgresEngine(primary.settings);
        try (Stream<Path> files = Files.walk(primary.data)) {
            for (Path file : files.toList()) {
                Path copy = standby.data.resolve(primary.data.relativize(file).toString());
                if (!Files.exists(copy)) {
                    Files.copy(file, copy);
                }
            }
        }
        Files.createFile(standby.data.resolve("standby.signal"));
        Files.writeString(
                standby.data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=" + HOST + " port=" + primary.port + " user=" + SUPERUSER + "'\n",
                StandardOpenOption.APPEND);
        return standby;
    }

    @Override
    public void create(String role, String password) throws IOException, SQLException {
        EmbeddedPostgres first = launch(0);
        running = first;
        port = first.getPort();
        try (Connection superuser = first.getPostgresDatabase().getConnection()) {
            PostgresEngine.createRole(superuser, role, password);
        }
    }

    @Override
    public String superusersPassword() {
        return "";
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void startAgain() throws IOException {
        EmbeddedPostgres again = launch(port);
        running = again;
        port = again.getPort();
    }

    @Override
    public void stop() throws IOException {
        EmbeddedPostgres server = running;
        if (server == null) {
            return;
        }
        server.close();
        // The embedding library only logs a failed stop.
        if (Files.exists(data.resolve("postmaster.pid"))) {
            throw new IOException("its process goes on");
        }
        running = null;
    }

    @Override
    public void delete() throws IOException {
        stop();
        if (!Files.exists(data)) {
            return;
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private EmbeddedPostgres launch(int onPort) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(onPort)
                .setDataDirectory(data)
                // The library's clean-up would delete the data at a stop.
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setDataDirectoryCustomizer(EmbeddedPostgresEngine::writeHostBasedAuthentication);
        settings.forEach(builder::setServerConfig);
        return builder.setServerConfig("listen_addresses", HOST)
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("password_encryption", "scram-sha-256")
                .start();
    }

    /** The superuser has no password, because the embedding library checks the server by a login without one. */
    private static void writeHostBasedAuthentication(File directory) {
        List<String> rules = List.of(
                "host all " + SUPERUSER + " " + HOST + "/32 trust",
                "host replication " + SUPERUSER + " " + HOST + "/32 trust",
                "host all all " + HOST + "/32 scram-sha-256");
        try {
            Files.write(directory.toPath().resolve("pg_hba.conf"), rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
