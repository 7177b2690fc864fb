// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/**
 * What a folder is stored on, and what a synchronous write costs there: without it no figure of durable messages can be
 * judged.
 *
 * @param fileSystem its type, as in {@code ext4}
 * @param syncMs the median of synchronous writes of 1 kB, milliseconds
 */
public record Disk(String fileSystem, double syncMs) {
    /** File systems that keep nothing on a disk. */
    private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs");

    private static final int WRITES = 51;
    private static final int BYTES = 1024;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * Whether a file system is memory, and a synchronous write there none.
     *
     * @param fileSystem its type
     * @return true if it is known to be
     */
    public static boolean inMemory(String fileSystem) {
        return MEMORY.contains(fileSystem);
    }

    /**
     * Writes to a folder, and leaves nothing there.
     *
     * @param folder where
     * @return what it is like
     * @throws IOException if it cannot be written to
     */
    public static Disk of(Path folder) throws IOException {
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
}
