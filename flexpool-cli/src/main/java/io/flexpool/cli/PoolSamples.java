// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a log shows of one pool: counts instead of samples, so that a log of any length takes the same memory. A pool of the same
 * name in several instances is one of these, with each instance's moments beside the others'.
 */
final class PoolSamples {
    private static final double QUANTILE = 0.99;
    private static final int MESSAGES = 64;

    private final TreeMap<Integer, Long> periodic = new TreeMap<>();
    private final Set<String> instances = new TreeSet<>();
    /** Messages of the last seconds: one failure is often logged by several layers, and again as a cause. */
    private final Map<String, Boolean> recent = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MESSAGES;
        }
    };

    private long moments;
    private long waitedMoments;
    private long fullMoments;
    private long messages;
    private long failureLines;
    private int highest;
    private int mostActive;
    private int max;
    /** Of lines that have it; 0 before the first. */
    private int leastMax;

    private final TreeMap<Integer, Long> failures = new TreeMap<>();

    /**
     * Adds a line.
     *
     * @param message the same for a failure that is logged twice, and another for two failures
     */
    void add(HikariLine line, String instance, String message) {
        if (!instance.isEmpty()) {
            instances.add(instance);
        }
        if (line.kind() == HikariLine.Kind.TIMEOUT) {
            if (recent.put(message, true) != null) {
                return;
            }
            messages++;
        }
        if (!line.hasFigures()) {
            return;
        }
        max = Math.max(max, Math.max(line.max(), line.total()));
        if (line.max() > 0) {
            leastMax = leastMax == 0 ? line.max() : Math.min(leastMax, line.max());
        }
        highest = Math.max(highest, line.demand());
        mostActive = Math.max(mostActive, line.active());
        switch (line.kind()) {
            case PERIODIC -> {
                moments++;
                waitedMoments += line.waiting() > 0 ? 1 : 0;
                fullMoments +=
                        line.waiting() == 0 && line.total() > 0 && line.active() >= Math.max(line.max(), line.total())
                                ? 1
                                : 0;
                periodic.merge(line.demand(), 1L, Long::sum);
            }
            case FAILURE -> {
                failureLines++;
                failures.merge(line.demand(), 1L, Long::sum);
            }
            case TIMEOUT -> failures.merge(line.demand(), 1L, Long::sum);
            default -> {
                // Counts for the peak alone.
            }
        }
    }

    /** Moments that were logged because time had passed. */
    long moments() {
        return moments;
    }

    /** Of these, those in which requests waited. */
    long waitedMoments() {
        return waitedMoments;
    }

    /** Of these, those in which all connections were in use and nothing waited. */
    long fullMoments() {
        return fullMoments;
    }

    /** Requests that failed: the debug line and the exception are two lines of one. */
    long failed() {
        return Math.max(messages, failureLines);
    }

    /** Whether any line had figures. */
    boolean hasFigures() {
        return !periodic.isEmpty() || !failures.isEmpty() || highest > 0;
    }

    /** The highest demand of any line. */
    int highest() {
        return highest;
    }

    /** The most connections in use at once. */
    int mostActive() {
        return mostActive;
    }

    /** The highest max size, or number of connections, in the log; 0 if there is none. */
    int max() {
        return max;
    }

    /** The lowest max size that the log has, where it has several; else 0. */
    int otherMax() {
        return leastMax < max ? leastMax : 0;
    }

    /** The demand that 99 % of the moments did not exceed, a failed request's among them. */
    int p99() {
        TreeMap<Integer, Long> all = new TreeMap<>(periodic);
        failures.forEach((demand, count) -> all.merge(demand, count, Long::sum));
        long count = all.values().stream().mapToLong(Long::longValue).sum();
        long rank = (long) Math.ceil(QUANTILE * count);
        for (Map.Entry<Integer, Long> each : all.entrySet()) {
            rank -= each.getValue();
            if (rank <= 0) {
                return each.getKey();
            }
        }
        return highest;
    }

    /** The instances that the log names; empty if it names none. */
    Set<String> instances() {
        return instances;
    }
}
