// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times for which the threads of a process ran and waited for a processor. In a starved process each statement and
 * each lease takes longer, without another sign. Linux counts both times for each thread. Immutable.
 *
 * @param over the time between the two readings
 */
record ProcessorTime(Duration over, Duration ran, Duration waited) {
    private static final Path PROCESSES = Path.of("/proc");

    /** The figures of each thread at one moment. */
    record Reading(long nanos, Map<String, long[]> threads) {
        /** The difference to an earlier reading, without threads that began or ended in between. */
        ProcessorTime since(Reading earlier) {
            long ran = 0;
            long waited = 0;
            for (Map.Entry<String, long[]> each : threads.entrySet()) {
                long[] before = earlier.threads.get(each.getKey());
                ran += before == null ? 0 : each.getValue()[0] - before[0];
                waited += before == null ? 0 : each.getValue()[1] - before[1];
            }
            return new ProcessorTime(
                    Duration.ofNanos(nanos - earlier.nanos), Duration.ofNanos(ran), Duration.ofNanos(waited));
        }
    }

    /** Reads a process; null if the system has no such figures, or hides them from this user. */
    static @Nullable Reading of(long pid) {
        return of(PROCESSES.resolve(String.valueOf(pid)).resolve("task"), System.nanoTime());
    }

    static @Nullable Reading of(Path tasks, long nanos) {
        Map<String, long[]> threads = new HashMap<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(tasks)) {
            for (Path task : each) {
                long[] figures = figures(task.resolve("schedstat"));
                if (figures != null) {
                    threads.put(task.getFileName().toString(), figures);
                }
            }
        } catch (IOException none) {
            return null;
        }
        return threads.isEmpty() ? null : new Reading(nanos, threads);
    }

    private static long @Nullable [] figures(Path file) {
        try {
            String[] figures = Files.readString(file).split(" ", -1);
            return new long[] {Long.parseLong(figures[0]), Long.parseLong(figures[1])};
        } catch (IOException | RuntimeException ended) {
            return null;
        }
    }

    /** Whether on average more threads waited for a processor than ran, and at least one. */
    boolean isStarved() {
        return waited.compareTo(over) >= 0 && waited.compareTo(ran) >= 0;
    }

    String words() {
        return "in " + seconds(over) + " the threads of the process ran for " + seconds(ran)
                + ", and waited for a processor for " + seconds(waited);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
}
