// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that is gone at the end, at the latest when the JVM ends.
 *
 * @param path where it is
 * @param hook deletes it when the JVM ends
 */
public record TempFolder(Path path, Thread hook) implements AutoCloseable {
    /**
     * Makes one.
     *
     * @param parent where
     * @return an empty folder
     * @throws IOException if it cannot be made
     */
    public static TempFolder in(Path parent) throws IOException {
        Path path = Files.createTempDirectory(parent, "flexpool-broker-");
        Thread hook = new Thread(() -> deleteQuietly(path), "temp-folder-shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        return new TempFolder(path, hook);
    }

    /**
     * Where temporary files belong.
     *
     * @return the JVM's folder for them
     */
    public static Path usual() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Override
    public void close() throws IOException {
        delete(path);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook finds nothing left to do.
        }
    }

    private static void deleteQuietly(Path path) {
        try {
            delete(path);
        } catch (IOException e) {
            // Others may still be writing; there is nobody left to tell.
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
