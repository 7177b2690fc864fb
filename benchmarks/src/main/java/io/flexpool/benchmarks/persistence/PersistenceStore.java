// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.NameConverter;
import io.flexpool.benchmarks.messaging.Access;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;

/** Where the broker keeps its messages. */
public enum PersistenceStore {
    /** Nowhere: messages are sent as non-persistent ones, to subscribers that are not durable. */
    NON_PERSISTENT {
        @Override
        OpenStore open(Path folder) {
            return OpenStore.none();
        }
    },
    /** The broker's own files, on the disk. */
    KAHADB_DISK {
        @Override
        OpenStore open(Path folder) {
            return OpenStore.kahaDb(folder);
        }
    },
    /** The broker's own files, on storage that is memory. */
    KAHADB_MEMORY {
        @Override
        OpenStore open(Path folder) {
            return OpenStore.kahaDb(folder);
        }

        @Override
        Path parent() {
            return MEMORY;
        }

        @Override
        Optional<String> unavailable() {
            return Files.isDirectory(MEMORY) && Files.isWritable(MEMORY)
                    ? Optional.empty()
                    : Optional.of("there is no folder " + MEMORY + " that can be written to");
        }
    },
    /** PostgreSQL without a pool. */
    JDBC_UNPOOLED {
        @Override
        OpenStore open(Path folder) throws SQLException {
            return OpenStore.postgres(Access.UNPOOLED);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    },
    /** PostgreSQL through HikariCP. */
    JDBC_POOLED {
        @Override
        OpenStore open(Path folder) throws SQLException {
            return OpenStore.postgres(Access.HIKARICP);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    },
    /** PostgreSQL through HikariCP in flexpool. */
    JDBC_POOLED_WRAPPED {
        @Override
        OpenStore open(Path folder) throws SQLException {
            return OpenStore.postgres(Access.HIKARICP_FLEXPOOL);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    private static final Path MEMORY = Path.of("/dev/shm");

    /**
     * Opens it, with a database of its own if it needs one.
     *
     * @param folder for its files
     */
    abstract OpenStore open(Path folder) throws SQLException;

    /** Where its folder is to be. */
    Path parent() {
        return TempFolder.usual();
    }

    /** Why it cannot be used on this machine; empty where it can. */
    Optional<String> unavailable() {
        return Optional.empty();
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads a store's name. */
    public static final class Converter extends NameConverter<PersistenceStore> {
        /** Made by the command line parser. */
        public Converter() {
            super(PersistenceStore.class);
        }
    }
}
