// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The waits for connections in a flight recording of an application without flexpool. The JDK's default settings record
 * each park and each wait for a monitor of 20 ms or longer with its stack. Those below a pool's {@code getConnection}
 * are waiting requests.
 */
final class JfrWaits {
    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final double QUANTILE = 0.99;
    /** The minimum number of waits for advice: fewer may come from one pause of the JVM. */
    private static final int ENOUGH = 5;

    private JfrWaits() {}

    /** One waiting request. */
    record Wait(String pool, String site, Instant begin, Duration length) {}

    /**
     * The content of a recording.
     *
     * @param span the length of the recording
     * @param blind why the recording cannot show waits; null if it can
     * @param virtual whether virtual threads ran, whose waits are not recorded
     * @param hikariPools the names of HikariCP's pools, from their threads
     * @param damage the damage of the file; empty without any
     * @param traced the leases by kind of pool, if methods were traced
     * @param thrown the exceptions of drivers and of connects below a pool, with their counts, if recorded
     */
    record Recording(
            List<Wait> waits,
            Duration span,
            @Nullable String blind,
            boolean virtual,
            Set<String> hikariPools,
            String damage,
            Map<String, MethodTrace.Leases> traced,
            Map<String, Integer> thrown) {
        Recording(List<Wait> waits, Duration span) {
            this(waits, span, null, false, Set.of(), "", Map.of(), Map.of());
        }

        /** The kinds of pools that requests waited for. */
        Set<String> pools() {
            return waits.stream().map(Wait::pool).collect(Collectors.toCollection(TreeSet::new));
        }

        private String few() {
            return "only " + Texts.count(waits.size(), "request") + " waited " + SHORTEST.toMillis()
                    + " ms or longer, up to "
                    + longest(waits).toMillis() + " ms, in " + site(waits) + "; " + ENOUGH
                    + " waits are enough: record for longer, at high load";
        }

        /** The waits for one kind of pool. */
        Recording of(String pool) {
            List<Wait> own =
                    waits.stream().filter(wait -> wait.pool().equals(pool)).toList();
            return new Recording(own, span, blind, virtual, hikariPools, damage, traced, thrown);
        }

        /** Why the recording does not show which of several pools requests waited for; null if it does. */
        @Nullable
        String severalOf(String pool) {
            return hikariPools.size() > 1 && pool.equals("HikariCP")
                    ? "the recording has " + hikariPools.size() + " pools of HikariCP ("
                            + String.join(", ", hikariPools)
                            + "), and does not show which of them a request waited for"
                    : null;
        }

        /** Why the recording allows no conclusion; null if it does. */
        @Nullable
        String cannotSay() {
            if (!waits.isEmpty()) {
                String several = severalOf(waits.get(0).pool());
                return several != null || waits.size() >= ENOUGH ? several : few();
            }
            if (blind != null) {
                return blind;
            }
            return virtual ? "requests ran on virtual threads, whose waits the JDK does not record" : null;
        }
    }

    private static Duration longest(List<Wait> waits) {
        return waits.stream().map(Wait::length).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** The call site of most waits. */
    private static String site(List<Wait> waits) {
        Map<String, Integer> sites = new HashMap<>();
        waits.forEach(wait -> sites.merge(wait.site(), 1, Integer::sum));
        return Collections.max(sites.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /**
     * Recommends additional connections: the 99th percentile over time of the requests that waited at once.
     *
     * @param size the current size; 0 if unknown
     */
    static SampledDemand advise(Recording recording, int size) {
        List<Wait> waits = recording.waits();
        List<String> unknown = new ArrayList<>();
        unknown.add("Unknown: lease times, waits below " + SHORTEST.toMillis()
                + " ms, whether fewer connections are enough, and whether the database was slow.");
        if (recording.virtual()) {
            unknown.add(
                    "Virtual threads also ran. The JDK does not record their waits, so there may have been more waits.");
        }
        if (waits.isEmpty()) {
            return new SampledDemand(
                    size,
                    size,
                    "In " + minutes(recording.span()) + ", no request waited " + SHORTEST.toMillis()
                            + " ms or longer for a connection: the current size is enough. " + SampledDemand.CONFIDENCE
                            + "only long waits are recorded.",
                    unknown);
        }
        int[] waiting = waitingAtOnce(waits, recording.span());
        if (size == 0) {
            unknown.add("The recording does not contain the current size: give it with --size.");
        }
        return new SampledDemand(
                size,
                size == 0 ? 0 : size + waiting[1],
                "In " + minutes(recording.span()) + ", " + Texts.count(waits.size(), "request") + " waited "
                        + SHORTEST.toMillis()
                        + " ms or longer for a connection of " + waits.get(0).pool() + ", the longest for "
                        + longest(waits).toMillis() + " ms. Most of them waited in " + site(waits) + "; at most "
                        + waiting[0]
                        + " waited at once (p99 " + waiting[1] + "). "
                        + "If the database has capacity, "
                        + (size == 0
                                ? waiting[1] + " more connections would have served them. "
                                : size + waiting[1] + " connections would have served them; the current size is " + size
                                        + ". ")
                        + SampledDemand.CONFIDENCE
                        + "only long waits are recorded.",
                unknown);
    }

    /** The maximum number of requests that waited at once, and the 99th percentile over time. */
    private static int[] waitingAtOnce(List<Wait> waits, Duration span) {
        List<Wait> byBegin = new ArrayList<>(waits);
        byBegin.sort((one, other) -> one.begin().compareTo(other.begin()));
        PriorityQueue<Instant> ends = new PriorityQueue<>();
        Map<Integer, Long> nanosAt = new HashMap<>();
        Instant now = byBegin.get(0).begin();
        int most = 0;
        for (Wait wait : byBegin) {
            while (!ends.isEmpty() && !ends.element().isAfter(wait.begin())) {
                int waiting = ends.size();
                Instant end = ends.remove();
                nanosAt.merge(waiting, Duration.between(now, end).toNanos(), Long::sum);
                now = end;
            }
            nanosAt.merge(ends.size(), Duration.between(now, wait.begin()).toNanos(), Long::sum);
            now = wait.begin();
            ends.add(wait.begin().plus(wait.length()));
            most = Math.max(most, ends.size());
        }
        while (!ends.isEmpty()) {
            int waiting = ends.size();
            Instant end = ends.remove();
            nanosAt.merge(waiting, Duration.between(now, end).toNanos(), Long::sum);
            now = end;
        }
        long above = 0;
        int p99 = most;
        while (p99 > 1 && above + nanosAt.getOrDefault(p99, 0L) <= (1 - QUANTILE) * span.toNanos()) {
            above += nanosAt.getOrDefault(p99--, 0L);
        }
        return new int[] {most, p99};
    }

    private static String minutes(Duration span) {
        return span.toMinutes() >= 2 ? span.toMinutes() + " min" : Math.max(1, span.toSeconds()) + " s";
    }
}
