// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The samples of one pool in a log, stored as counts, so that the memory does not depend on the log's length. Pools
 * with one name in several instances are one object; each instance's moments are separate samples.
 */
final class PoolSamples {
    private static final double QUANTILE = 0.99;
    private static final int MESSAGES = 64;

    private final TreeMap<Integer, Long> periodic = new TreeMap<>();
    private final Set<String> instances = new TreeSet<>();
    /** The messages of the last seconds, because several layers often log the same failure, and as a cause again. */
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
    /** The lowest max in the log; 0 before the first. */
    private int leastMax;

    private final TreeMap<Integer, Long> failures = new TreeMap<>();

    /**
     * Adds a line.
     *
     * @param message equal for repeated lines of one failure, different for two failures
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
                // Counts only for the peak.
            }
        }
    }

    /** The number of periodic moments. */
    long moments() {
        return moments;
    }

    /** The number of periodic moments with waiting requests. */
    long waitedMoments() {
        return waitedMoments;
    }

    /** The number of periodic moments with all connections in use and no waiting request. */
    long fullMoments() {
        return fullMoments;
    }

    /** The number of failed requests: a debug line and an exception are two lines of the same failure. */
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

    /** The lowest max size if the log has several; otherwise 0. */
    int otherMax() {
        return leastMax < max ? leastMax : 0;
    }

    /** The 99th percentile of the demand over periodic moments and failures. */
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

    /** The instances named in the log; may be empty. */
    Set<String> instances() {
        return instances;
    }
}
