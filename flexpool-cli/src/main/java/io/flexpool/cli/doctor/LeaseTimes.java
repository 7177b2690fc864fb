// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Waits and leases from the method trace of a flight recording (JDK 25 and newer). The events have no identity of a connection:
 * the return of a connection ends the last lease that its thread began. Immutable.
 */
record LeaseTimes(List<Duration> waits, List<Site> sites) {
    /**
     * What is traced: how connections are requested and returned. Classes that are not loaded do no harm. The return of c3p0's
     * connections is not in an event (tried with JDK 25).
     */
    static final String FILTER = String.join(
            ";",
            "com.zaxxer.hikari.HikariDataSource::getConnection",
            "com.zaxxer.hikari.pool.ProxyConnection::close",
            "org.apache.tomcat.jdbc.pool.DataSourceProxy::getConnection",
            "org.apache.tomcat.jdbc.pool.ProxyConnection::invoke",
            "org.apache.commons.dbcp2.BasicDataSource::getConnection",
            "org.apache.commons.dbcp2.PoolableConnection::close",
            "com.alibaba.druid.pool.DruidDataSource::getConnection",
            "com.alibaba.druid.pool.DruidPooledConnection::close",
            "io.agroal.pool.DataSource::getConnection",
            "io.agroal.pool.wrapper.ConnectionWrapper::close");

    private static final String EVENT = "jdk.MethodTrace";
    private static final int MOST_EVENTS = 5_000_000;

    /**
     * Where leases began.
     *
     * @param ended how long those lasted that have ended
     * @param open for how long those have lasted that have not
     */
    record Site(String name, List<Duration> ended, List<Duration> open) {
        Duration held() {
            Duration sum = Duration.ZERO;
            for (Duration each : ended) {
                sum = sum.plus(each);
            }
            for (Duration each : open) {
                sum = sum.plus(each);
            }
            return sum;
        }
    }

    private record Begun(String site, Instant at) {}

    private record Call(Instant at, Instant end, boolean request, long thread, String site) {}

    boolean isEmpty() {
        return waits.isEmpty() && sites.isEmpty();
    }

    /**
     * Reads a recording.
     *
     * @throws IOException with the reason, without the file
     */
    static LeaseTimes of(Path file) throws IOException {
        List<Call> calls = new ArrayList<>();
        Instant last = Instant.MIN;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents() && calls.size() < MOST_EVENTS) {
                RecordedEvent event = recording.readEvent();
                last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
                RecordedThread thread = event.getEventType().getName().equals(EVENT) ? event.getThread() : null;
                if (thread != null) {
                    calls.add(call(event, thread));
                }
            }
        }
        calls.sort(Comparator.comparing(Call::at));
        return paired(calls, last);
    }

    private static Call call(RecordedEvent event, RecordedThread thread) {
        RecordedMethod method = event.getValue("method");
        String name = method == null ? "" : method.getName();
        return new Call(
                event.getStartTime(), event.getEndTime(), name.equals("getConnection"), thread.getId(), site(event));
    }

    private static String site(RecordedEvent event) {
        List<RecordedFrame> frames = event.getStackTrace() == null
                ? List.of()
                : event.getStackTrace().getFrames();
        for (RecordedFrame frame : frames) {
            String type = frame.getMethod().getType().getName();
            if (PoolFrames.isApplication(type)) {
                return type.substring(type.lastIndexOf('.') + 1) + "."
                        + frame.getMethod().getName() + "(line " + frame.getLineNumber() + ")";
            }
        }
        return "an unknown call site";
    }

    private static LeaseTimes paired(List<Call> calls, Instant last) {
        List<Duration> waits = new ArrayList<>();
        Map<Long, Deque<Begun>> open = new HashMap<>();
        Map<String, Site> sites = new HashMap<>();
        Map<Long, Instant> insideUntil = new HashMap<>();
        for (Call call : calls) {
            Deque<Begun> ofThread = open.computeIfAbsent(call.thread(), unknown -> new ArrayDeque<>());
            Instant inside = insideUntil.getOrDefault(call.thread(), Instant.MIN);
            if (call.request() && call.at().isBefore(inside)) {
                // An overload that calls the other, or a pool inside of another.
                continue;
            }
            if (call.request()) {
                waits.add(Duration.between(call.at(), call.end()));
                ofThread.push(new Begun(call.site(), call.end()));
                insideUntil.put(call.thread(), call.end());
            } else if (!ofThread.isEmpty()) {
                Begun begun = ofThread.pop();
                of(begun.site(), sites).ended().add(Duration.between(begun.at(), call.at()));
            }
        }
        open.values()
                .forEach(left ->
                        left.forEach(begun -> of(begun.site(), sites).open().add(Duration.between(begun.at(), last))));
        List<Site> ordered = new ArrayList<>(sites.values());
        ordered.sort(Comparator.comparing(Site::held).reversed());
        return new LeaseTimes(List.copyOf(waits), List.copyOf(ordered));
    }

    private static Site of(String name, Map<String, Site> sites) {
        return sites.computeIfAbsent(name, unknown -> new Site(name, new ArrayList<>(), new ArrayList<>()));
    }

    /** One line for all requests, then one for each of the sites that held connections longest. */
    List<String> lines(int most) {
        List<String> lines = new ArrayList<>();
        lines.add(waits.size() + " requests waited " + quantiles(waits));
        for (Site each : sites.subList(0, Math.min(most, sites.size()))) {
            String ended = each.ended().isEmpty() ? "" : each.ended().size() + " leases of " + quantiles(each.ended());
            String open = each.open().isEmpty()
                    ? ""
                    : each.open().size() + " still open, the oldest for "
                            + shown(each.open().stream()
                                    .max(Comparator.naturalOrder())
                                    .orElse(Duration.ZERO));
            lines.add(each.name() + ": " + ended + (ended.isEmpty() || open.isEmpty() ? "" : ", ") + open);
        }
        return lines;
    }

    private static String quantiles(List<Duration> durations) {
        List<Duration> sorted = new ArrayList<>(durations);
        sorted.sort(Comparator.naturalOrder());
        if (sorted.isEmpty()) {
            return "for an unknown time";
        }
        return shown(sorted.get(sorted.size() / 2)) + " (median), " + shown(sorted.get((int) (sorted.size() * 0.99)))
                + " (99 of 100)";
    }

    private static String shown(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return millis < 10 ? String.format(Locale.ROOT, "%.1f ms", millis) : Math.round(millis) + " ms";
    }
}
