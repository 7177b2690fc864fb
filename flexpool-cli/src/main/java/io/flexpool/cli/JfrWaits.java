// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/**
 * The waits for a connection in a flight recording of an application that has no flexpool. The JDK's default settings record
 * each park and each blocking at a monitor of 20 ms and longer with its stack; those below a pool's {@code getConnection} are
 * requests that waited.
 */
final class JfrWaits {
    private static final Set<String> EVENTS = Set.of("jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter");
    /** Frames in which a request waits for a connection, and not for the network. */
    private static final Map<String, String> POOLS = Map.of(
            "com.zaxxer.hikari.util.ConcurrentBag.borrow", "HikariCP",
            "org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection", "Tomcat JDBC",
            "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject", "Commons DBCP 2",
            "com.alibaba.druid.pool.DruidDataSource.getConnectionInternal", "Druid",
            "com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource", "c3p0",
            "io.agroal.pool.ConnectionPool.handlerFromSharedCache", "Agroal",
            "io.flexpool.internal.gate.Gate.enter", "flexpool");

    /** Whose frames are between an application and its pool. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "com.zaxxer.hikari.",
            "org.apache.tomcat.",
            "org.apache.commons.",
            "com.alibaba.druid.",
            "com.mchange.",
            "io.agroal.",
            "io.flexpool.internal.",
            "org.hibernate.",
            "org.springframework.");

    private static final Duration SHORTEST = Duration.ofMillis(20);
    private static final double QUANTILE = 0.99;

    private JfrWaits() {}

    /** One request that waited. */
    record Wait(String pool, String site, Instant begin, Duration length) {}

    /** What was recorded, and how long the recording is. */
    record Recording(List<Wait> waits, Duration span) {}

    static Recording read(Path file) throws IOException {
        List<Wait> waits = new ArrayList<>();
        Instant first = Instant.MAX;
        Instant last = Instant.MIN;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                first = event.getStartTime().isBefore(first) ? event.getStartTime() : first;
                last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
                if (EVENTS.contains(event.getEventType().getName()) && event.getStackTrace() != null) {
                    wait(event, waits);
                }
            }
        }
        return new Recording(waits, first.isAfter(last) ? Duration.ZERO : Duration.between(first, last));
    }

    private static void wait(RecordedEvent event, List<Wait> waits) {
        RecordedStackTrace stack = event.getStackTrace();
        String pool = null;
        for (RecordedFrame frame : stack.getFrames()) {
            String type = frame.getMethod().getType().getName();
            String name = frame.getMethod().getName();
            if (pool == null) {
                pool = POOLS.get(type + "." + name);
            } else if (isApplication(type)) {
                String site =
                        type.substring(type.lastIndexOf('.') + 1) + "." + name + "(" + frame.getLineNumber() + ")";
                waits.add(new Wait(pool, site, event.getStartTime(), event.getDuration()));
                return;
            }
        }
        if (pool != null) {
            waits.add(new Wait(pool, "an unknown call site", event.getStartTime(), event.getDuration()));
        }
    }

    private static boolean isApplication(String type) {
        return LIBRARIES.stream().noneMatch(type::startsWith);
    }

    /**
     * How many connections more would have served those that waited: as many as waited at once for all but 1 % of the time.
     *
     * @param size today's size; 0 if it is not known
     */
    static SampledDemand advise(Recording recording, int size) {
        List<Wait> waits = recording.waits();
        List<String> unknown = new ArrayList<>();
        unknown.add("Not known: leases, waits below " + SHORTEST.toMillis()
                + " ms, and so whether fewer connections would be enough, or whether the database was slow.");
        if (waits.isEmpty()) {
            return new SampledDemand(
                    size,
                    size,
                    "In " + minutes(recording.span()) + " no request waited " + SHORTEST.toMillis()
                            + " ms or longer for a connection: today's size is enough. " + SampledDemand.CONFIDENCE
                            + "only long waits are recorded.",
                    unknown);
        }
        int[] waiting = waitingAtOnce(waits, recording.span());
        Map<String, Integer> sites = new HashMap<>();
        waits.forEach(wait -> sites.merge(wait.site(), 1, Integer::sum));
        String site =
                Collections.max(sites.entrySet(), Map.Entry.comparingByValue()).getKey();
        Duration longest =
                waits.stream().map(Wait::length).max(Duration::compareTo).orElse(Duration.ZERO);
        if (size == 0) {
            unknown.add("Today's size is not in the recording: give it with --size.");
        }
        return new SampledDemand(
                size,
                size == 0 ? 0 : size + waiting[1],
                "In " + minutes(recording.span()) + " " + waits.size() + " requests waited " + SHORTEST.toMillis()
                        + " ms or longer for a connection of " + waits.get(0).pool() + ", the longest for "
                        + longest.toMillis() + " ms, most of them in " + site + "; at most " + waiting[0]
                        + " waited at once (p99 of the time " + waiting[1] + "). "
                        + (size == 0
                                ? waiting[1] + " connections more would have served them"
                                : size + waiting[1] + " connections would have served them, today's size is " + size)
                        + ", if the database has room. " + SampledDemand.CONFIDENCE + "only long waits are recorded.",
                unknown);
    }

    /** The most, and the number that was not exceeded for 99 % of the time. */
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
