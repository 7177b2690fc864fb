// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A folder that is gone at the end, at the latest when the JVM ends. Thread-safe. */
final class TempFolder implements AutoCloseable {
    /** What writes there may need a moment to end. */
    private static final int TRIES = 50;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration STOPPING = Duration.ofSeconds(5);

    private final Path path;
    private final Thread hook = new Thread(this::end, "temp-folder-shutdown");
    private volatile @Nullable Runnable writer;

    private TempFolder(Path path) {
        this.path = path;
    }

    /** Makes an empty one in a folder. */
    static TempFolder in(Path parent) throws IOException {
        TempFolder folder = new TempFolder(Files.createTempDirectory(parent, "flexpool-broker-"));
        Runtime.getRuntime().addShutdownHook(folder.hook);
        return folder;
    }

    /** Where temporary files belong: the JVM's folder for them. */
    static Path usual() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Where it is. */
    Path path() {
        return path;
    }

    /** If the JVM shuts down, this runs first to end writers to the folder; it is not waited for longer than some seconds. */
    void writtenBy(Runnable stop) {
        writer = stop;
    }

    @Override
    public void close() throws IOException {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook finds nothing left to do.
        }
    }

    private void end() {
        Runnable stop = writer;
        try {
            if (stop != null) {
                Thread stopping = new Thread(stop, "temp-folder-writer-shutdown");
                stopping.setDaemon(true);
                stopping.start();
                stopping.join(STOPPING.toMillis());
            }
            delete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // Others are still writing; nothing is left to notify.
        }
    }

    /** Others may write and delete meanwhile. */
    private void delete() throws IOException {
        for (int more = TRIES; Files.exists(path); more--) {
            try {
                deleteAll();
            } catch (NoSuchFileException | DirectoryNotEmptyException e) {
                if (more == 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void deleteAll() throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(path)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
