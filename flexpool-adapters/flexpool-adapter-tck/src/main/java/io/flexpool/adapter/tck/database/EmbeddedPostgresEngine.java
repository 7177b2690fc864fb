// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    /**
     * The system property with a folder for the data of a server that has never run. The first server leaves it there, and others
     * start with a copy: a tenth of the time of an {@code initdb}. Without the property each server makes its own.
     */
    private static final @Nullable String TEMPLATE = System.getProperty("tck.postgres-template");

    /** Of the embedding library, which holds it while the server runs. */
    private static final String LOCK = "epg-lock";

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
        copy(primary.data, standby.data);
        Files.createFile(standby.data.resolve("standby.signal"));
        Files.writeString(
                standby.data.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=" + HOST + " port=" + primary.port + " user=" + SUPERUSER + "'\n",
                StandardOpenOption.APPEND);
        return standby;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (!Files.exists(copy) && !file.endsWith(LOCK)) {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Leaves the data of a server that is about to run for the first time, unless another JVM has done so. */
    private static void keepAsTemplate(Path data, Path template) throws IOException {
        Path parent = Files.createDirectories(template.toAbsolutePath().getParent());
        Path partial = Files.createTempDirectory(parent, "partial-");
        try {
            copy(data, partial);
            Files.move(partial, template, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException another) {
            if (!Files.exists(template)) {
                throw another;
            }
        } finally {
            remove(partial);
        }
    }

    @Override
    public void create(String role, String password) throws IOException, SQLException {
        if (TEMPLATE != null && Files.exists(Path.of(TEMPLATE))) {
            copy(Path.of(TEMPLATE), data);
        }
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
        remove(data);
    }

    private EmbeddedPostgres launch(int onPort) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(onPort)
                .setDataDirectory(data)
                // The library's clean-up would delete the data at a stop.
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setDataDirectoryCustomizer(EmbeddedPostgresEngine::prepare);
        settings.forEach(builder::setServerConfig);
        return builder.setServerConfig("listen_addresses", HOST)
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("password_encryption", "scram-sha-256")
                .start();
    }

    /** The superuser has no password, because the embedding library checks the server by a login without one. */
    private static void prepare(File directory) {
        List<String> rules = List.of(
                "host all " + SUPERUSER + " " + HOST + "/32 trust",
                "host replication " + SUPERUSER + " " + HOST + "/32 trust",
                "host all all " + HOST + "/32 scram-sha-256");
        try {
            if (TEMPLATE != null && !Files.exists(Path.of(TEMPLATE))) {
                keepAsTemplate(directory.toPath(), Path.of(TEMPLATE));
            }
            Files.write(directory.toPath().resolve("pg_hba.conf"), rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
