// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What a folder is stored on, and what a synchronous write costs there: without it no figure of durable messages can be
 * judged.
 *
 * @param fileSystem its type, as in {@code ext4}
 * @param syncMs the median of synchronous writes of 1 kB, milliseconds
 */
record Disk(String fileSystem, double syncMs) {
    /** File systems that keep nothing on a disk. */
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");
    /** More than a run of some seconds writes. */
    private static final long ROOM = 512L << 20;

    private static final int WRITES = 51;
    private static final int BYTES = 1024;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Whether a file system, given by its type, is known to be memory, where no write is synchronous. */
    static boolean inMemory(String fileSystem) {
        return MEMORY.contains(fileSystem);
    }

    /** Writes to a folder, and leaves nothing there. */
    static Disk of(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "sync", null);
        long[] nanos = new long[WRITES];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int at = 0; at < WRITES; at++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(BYTES));
                channel.force(false);
                nanos[at] = System.nanoTime() - start;
            }
        } finally {
            Files.delete(file);
        }
        Arrays.sort(nanos);
        return new Disk(Files.getFileStore(folder).type(), nanos[WRITES / 2] / NANOS_PER_MILLI);
    }

    /** Why a folder is not on a disk; empty where it is. */
    static Optional<String> notOnDisk(Path folder) {
        try {
            String type = Files.getFileStore(folder).type();
            return Optional.of(folder + " is on " + type + ", which is memory; -Djava.io.tmpdir names another folder")
                    .filter(why -> inMemory(type));
        } catch (IOException e) {
            return unwritable(folder, e);
        }
    }

    /** Why a folder is not in memory, or too small; empty where it is. */
    static Optional<String> notInMemory(Path folder) {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            return Optional.of("there is no folder " + folder + " that can be written to");
        }
        try {
            FileStore files = Files.getFileStore(folder);
            if (!inMemory(files.type())) {
                return Optional.of(folder + " is on " + files.type() + ", which is not memory");
            }
            return files.getUsableSpace() >= ROOM
                    ? Optional.empty()
                    : Optional.of(folder + " has room for less than " + (ROOM >> 20) + " MB");
        } catch (IOException e) {
            return unwritable(folder, e);
        }
    }

    private static Optional<String> unwritable(Path folder, IOException why) {
        return Optional.of(folder + " cannot be written to: " + why);
    }
}
