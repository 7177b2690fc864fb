// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.messaging.Access;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import java.io.IOException;
import java.nio.file.FileStore;
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

        @Override
        Optional<String> unavailable() {
            return notOnDisk(TempFolder.usual());
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
            return notInMemory(MEMORY);
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
        PersistenceStore bare() {
            return JDBC_POOLED;
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    private static final Path MEMORY = Path.of("/dev/shm");
    /** More than a run of some seconds writes. */
    private static final long ROOM = 512L << 20;

    /**
     * Opens it, with its own database if it needs one.
     *
     * @param folder for its files
     */
    abstract OpenStore open(Path folder) throws SQLException;

    /** Where its folder is to be. */
    Path parent() {
        return TempFolder.usual();
    }

    /** The same store without flexpool; itself where it is bare. */
    PersistenceStore bare() {
        return this;
    }

    /** Why a folder is not on a disk; empty where it is. */
    static Optional<String> notOnDisk(Path folder) {
        try {
            String type = Files.getFileStore(folder).type();
            return Disk.inMemory(type)
                    ? Optional.of(
                            folder + " is on " + type + ", which is memory; -Djava.io.tmpdir names another folder")
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.of(folder + " cannot be written to: " + e);
        }
    }

    /** Why a folder is not in memory, or too small; empty where it is. */
    static Optional<String> notInMemory(Path folder) {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return Optional.of("there is no folder " + folder + " that can be written to");
        }
        try {
            FileStore files = Files.getFileStore(folder);
            if (!Disk.inMemory(files.type())) {
                return Optional.of(folder + " is on " + files.type() + ", which is not memory");
            }
            return files.getUsableSpace() >= ROOM
                    ? Optional.empty()
                    : Optional.of(folder + " has room for less than " + (ROOM >> 20) + " MB");
        } catch (IOException e) {
            return Optional.of(folder + " cannot be written to: " + e);
        }
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
}
