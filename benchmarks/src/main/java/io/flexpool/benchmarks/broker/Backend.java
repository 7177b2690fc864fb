// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** What a broker's messages are kept in and, if that is a database, how the broker gets its connections. */
enum Backend {
    /** The JVM's heap: nothing survives the broker. */
    HEAP,
    /** The broker's own files. */
    FILES,
    /** The broker's own files, where the folder for temporary files is on a disk. */
    FILES_ON_DISK,
    /** The broker's own files on storage that is memory. */
    FILES_IN_MEMORY,
    /** Each connection is opened when it is wanted and closed when it is not. */
    UNPOOLED,
    /** c3p0 as the comparison of 2016 had it. */
    C3P0,
    /**
     * The pool of PostgreSQL's driver as the comparison of 2016 had it. It connects by itself, past the driver's data
     * source, so its connects cannot be counted.
     */
    PGPOOLING,
    /** HikariCP in c3p0's sizes, all else as it is by default. */
    HIKARICP,
    /** The same c3p0 in flexpool. */
    C3P0_FLEXPOOL,
    /** The same HikariCP in flexpool. */
    HIKARICP_FLEXPOOL;

    private static final Path MEMORY = Path.of("/dev/shm");

    /** Opens it, with its own database if it needs one; other files are written to the folder. */
    OpenStore open(Path folder) throws SQLException {
        return switch (this) {
            case HEAP -> OpenStore.none();
            case FILES, FILES_ON_DISK, FILES_IN_MEMORY -> OpenStore.kahaDb(folder);
            default -> OpenStore.postgres(this);
        };
    }

    /** Where its folder is to be. */
    Path parent() {
        return this == FILES_IN_MEMORY ? MEMORY : TempFolder.usual();
    }

    /** Why it cannot be used on this machine; empty where it can. */
    Optional<String> unavailable() {
        return switch (this) {
            case HEAP, FILES -> Optional.empty();
            case FILES_ON_DISK -> Disk.notOnDisk(parent());
            case FILES_IN_MEMORY -> Disk.notInMemory(parent());
            default -> PostgresServer.unavailable().map(why -> "PostgreSQL cannot run here: " + why);
        };
    }

    /** The same without flexpool; itself where it is bare. */
    Backend bare() {
        return switch (this) {
            case C3P0_FLEXPOOL -> C3P0;
            case HIKARICP_FLEXPOOL -> HIKARICP;
            default -> this;
        };
    }

    /** How long a number of messages takes beside other backends, roughly as published. */
    int weight() {
        return switch (this) {
            case HEAP, FILES, FILES_ON_DISK, FILES_IN_MEMORY -> 2;
            case UNPOOLED -> 9;
            default -> 3;
        };
    }
}
