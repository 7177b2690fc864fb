// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests and returns of connections from the method traces of a flight recording (JDK 25 and newer). The events
 * do not identify connections. So a return ends the last lease of its thread, or without one the oldest lease of
 * another thread. A method that throws has no event, so a failed request is detected by the exception constructed in
 * it. For one recording.
 */
public final class MethodTrace {
    /** The type of the events. */
    static final String EVENT = "jdk.MethodTrace";

    private static final String EXCEPTION = "java.sql.SQLException";
    static final String CONSTRUCTOR = "<init>";
    /** The class of HikariCP's housekeeper: one thread in each pool, with the pool's name. */
    private static final String HOUSEKEEPER = "com.zaxxer.hikari.pool.HikariPool$HouseKeeper";

    private static final String THROWN = "jdk.JavaExceptionThrow";
    private static final int MOST_EVENTS = 4_000_000;
    /** The maximum number of different exception messages. */
    private static final int MOST_THROWN = 1_000;

    /** The methods by which each pool's connections are requested and returned. */
    enum Pool {
        HIKARICP(
                "HikariCP",
                "com.zaxxer.hikari.HikariDataSource::getConnection",
                "com.zaxxer.hikari.pool.PoolEntry::recycle",
                "com.zaxxer.hikari.pool.ProxyConnection::close"),
        TOMCAT(
                "Tomcat JDBC",
                "org.apache.tomcat.jdbc.pool.DataSourceProxy::getConnection",
                "org.apache.tomcat.jdbc.pool.ConnectionPool::returnConnection"),
        DBCP2(
                "Commons DBCP 2",
                "org.apache.commons.dbcp2.BasicDataSource::getConnection",
                "org.apache.commons.dbcp2.PoolableConnection::close"),
        DRUID(
                "Druid",
                "com.alibaba.druid.pool.DruidDataSource::getConnection",
                "com.alibaba.druid.pool.DruidDataSource::recycle",
                "com.alibaba.druid.pool.DruidPooledConnection::close"),
        C3P0(
                "c3p0",
                "com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource::getConnection",
                "com.mchange.v2.c3p0.impl.C3P0PooledConnectionPool::checkinPooledConnection"),
        AGROAL(
                "Agroal",
                "io.agroal.pool.DataSource::getConnection",
                "io.agroal.pool.ConnectionPool::returnConnectionHandler",
                "io.agroal.pool.wrapper.ConnectionWrapper::close"),
        UCP(
                "Oracle UCP",
                "oracle.ucp.jdbc.PoolDataSourceImpl::getConnection",
                "oracle.ucp.common.UniversalConnectionPoolImpl::returnConnection"),
        VIBUR(
                "Vibur",
                "org.vibur.dbcp.ViburDBCPDataSource::getConnection",
                "org.vibur.dbcp.pool.PoolOperations::restore");

        /**
         * The method of a request that takes a connection; within a transaction Agroal returns the transaction's
         * connection.
         */
        static final String AGROAL_TAKES = "io.agroal.pool.ConnectionPool::checkMultipleAcquisition";

        private static final Map<String, Pool> REQUESTS =
                Stream.of(values()).collect(Collectors.toMap(each -> each.request, each -> each));
        private static final Map<String, Pool> RETURNS = Stream.of(values())
                .flatMap(each -> Stream.of(each.returns, each.closes).distinct().map(name -> Map.entry(name, each)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        private final String kind;
        final String request;
        /** The method called once for each lease's end. */
        final String returns;
        /** The method that people trace instead, although a second close calls it again. */
        final String closes;

        Pool(String kind, String request, String returns, String closes) {
            this.kind = kind;
            this.request = request;
            this.returns = returns;
            this.closes = closes;
        }

        Pool(String kind, String request, String returns) {
            this(kind, request, returns, returns);
        }
    }

    /** The filter of the traced methods. Classes that are not loaded are ignored. */
    static final String FILTER = Stream.concat(
                    Stream.of(Pool.values()).flatMap(each -> Stream.of(each.request, each.returns)),
                    Stream.of(Pool.AGROAL_TAKES, EXCEPTION + "::" + CONSTRUCTOR, HOUSEKEEPER + "::run"))
            .collect(Collectors.joining(";"));

    /** A request, a return, or an event within one. */
    record Call(Pool pool, String method, Instant at, Instant end, long thread, String site) {}

    private final List<Call> calls = new ArrayList<>();
    /** The distinct call sites, to save memory: there are many requests and few sites. */
    private final Map<String, String> sites = new HashMap<>();
    /** The exceptions thrown below a pool or driver, with their counts. */
    private final Map<String, Integer> thrown = new HashMap<>();

    private Instant last = Instant.MIN;

    /** Creates a reader, without reading yet. */
    MethodTrace() {}

    /**
     * A lease, or a failed request.
     *
     * @param site the method that requested the connection; empty if unknown
     * @param line its line; -1 if unknown
     * @param thread the thread's number
     * @param at the time of the request
     * @param begin the time when the lease began, or the request failed
     * @param end the end of the lease, or of the recording
     * @param ending whether the lease ended, is open, or the request failed
     * @param nested whether its thread had another connection of this pool
     */
    public record Lease(
            String site, int line, long thread, Instant at, Instant begin, Instant end, Ending ending, boolean nested) {
        /** {@return the wait of the request} */
        public Duration waited() {
            return Duration.between(at, begin);
        }

        /** {@return the duration of the lease so far; zero if the request failed} */
        public Duration held() {
            return Duration.between(begin, end);
        }
    }

    /**
     * The leases of one kind of pool.
     *
     * @param leases the leases and failed requests, in the order of their requests
     * @param earlier the number of returns of connections that were requested before the recording
     * @param untimed the number of failed requests with unknown waits, which are not in {@code leases}
     * @param cut whether the last events are missing, because there were too many
     */
    public record Leases(List<Lease> leases, int earlier, int untimed, boolean cut) {
        /** {@return whether at least one connection was returned, so that lengths are known} */
        public boolean hasReturns() {
            return leases.stream().anyMatch(each -> each.ending() == Ending.RELEASED);
        }

        /** {@return the gaps of the trace, as sentences} */
        public List<String> missing() {
            List<String> sentences = new ArrayList<>();
            if (earlier > 0) {
                sentences.add("Not counted: " + counted(earlier, "connection", "connections")
                        + " requested before the recording began.");
            }
            if (untimed > 0) {
                sentences.add("Not counted: " + counted(untimed, "request", "requests")
                        + " that failed after an unknown wait; give the wait with --timeout.");
            }
            if (cut) {
                sentences.add("Only the first " + MOST_EVENTS + " events were used.");
            }
            return sentences;
        }

        private static String counted(int count, String one, String several) {
            return count + " " + (count == 1 ? one : several);
        }

        /** {@return the requests as the advisor reads them} */
        public LeaseTrace trace() {
            LeaseTrace.Builder builder = LeaseTrace.builder();
            Instant first = leases.isEmpty() ? Instant.EPOCH : leases.get(0).at();
            for (Lease each : leases) {
                builder.add(
                        Duration.between(first, each.at()).toNanos(),
                        each.waited().toNanos(),
                        each.held().toNanos(),
                        each.ending(),
                        each.site(),
                        each.thread(),
                        each.nested());
            }
            return builder.build();
        }
    }

    /**
     * The settings of a recording with only the events that this class reads.
     *
     * @return the content of a JDK settings file
     */
    public static String settings() {
        StringBuilder events = new StringBuilder();
        for (String each : List.of("jdk.ThreadPark", "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter")) {
            events.append(event(each, "<setting name=\"threshold\">20 ms</setting>"));
        }
        events.append(event(
                EVENT,
                "<setting name=\"threshold\">0 ms</setting><setting name=\"filter\">" + HtmlText.escaped(FILTER)
                        + "</setting>"));
        // Throttled, because an application may throw a million exceptions a second.
        events.append(event(THROWN, "<setting name=\"throttle\">100/s</setting>"));
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">\n" + events
                + "</configuration>\n";
    }

    private static String event(String name, String more) {
        return "<event name=\"" + name + "\"><setting name=\"enabled\">true</setting>"
                + "<setting name=\"stackTrace\">true</setting>" + more + "</event>\n";
    }

    /**
     * The content of a recording for all pools.
     *
     * @param leases the leases by kind of pool; empty if no method was traced
     * @param thrown the exceptions of drivers and of connects below a pool: class and message, with their counts
     * @param damage the damage of the file; empty without any
     */
    public record Read(Map<String, Leases> leases, Map<String, Integer> thrown, String damage) {}

    /**
     * Reads a recording.
     *
     * @param file the recording
     * @return its content
     * @throws IOException if the file is no recording; the message names the file
     */
    public static Read read(Path file) throws IOException {
        JfrWaits.Recording recording = JfrReader.read(file, null);
        return new Read(recording.traced(), recording.thrown(), recording.damage());
    }

    /**
     * Whether a recording has more than a number of traced calls. Stops reading at that number.
     *
     * @param file the recording
     * @param most the number
     * @return whether it has more
     * @throws IOException if the file cannot be read
     */
    public static boolean hasMore(Path file, int most) throws IOException {
        int count = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (count <= most && recording.hasMoreEvents()) {
                count += recording.readEvent().getEventType().getName().equals(EVENT) ? 1 : 0;
            }
        }
        return count > most;
    }

    /**
     * Adds an event.
     *
     * @param event an event of type {@link #EVENT}; others are ignored
     */
    void add(RecordedEvent event) {
        if (calls.size() == MOST_EVENTS) {
            return;
        }
        last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
        if (event.getEventType().getName().equals(THROWN)) {
            addThrown(event);
        }
        if (!event.getEventType().getName().equals(EVENT)) {
            return;
        }
        RecordedThread thread = event.getThread();
        RecordedMethod method = event.getValue("method");
        if (thread == null || method == null) {
            return;
        }
        String name = method.getType().getName() + "::" + method.getName();
        boolean exception = name.equals(EXCEPTION + "::" + CONSTRUCTOR);
        Pool pool = Pool.REQUESTS.getOrDefault(name, Pool.RETURNS.get(name));
        pool = exception ? requested(event.getStackTrace()) : name.equals(Pool.AGROAL_TAKES) ? Pool.AGROAL : pool;
        if (pool != null) {
            boolean sited = exception || name.equals(pool.request);
            calls.add(new Call(
                    pool,
                    exception ? CONSTRUCTOR : name,
                    event.getStartTime(),
                    event.getEndTime(),
                    thread.getId(),
                    sited ? sites.computeIfAbsent(site(event.getStackTrace()), text -> text) : ""));
        }
    }

    /** Counts an exception thrown below a pool or driver; ignores other exceptions of the application. */
    private void addThrown(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        RecordedClass type = event.getValue("thrownClass");
        if (stack == null || type == null) {
            return;
        }
        for (RecordedFrame frame : stack.getFrames()) {
            String name = frame.getMethod().getType().getName();
            if (PoolFrames.isOfPool(name) || PoolFrames.usesConnection(name)) {
                String text = type.getName() + ": " + event.getString("message");
                if (thrown.size() < MOST_THROWN || thrown.containsKey(text)) {
                    thrown.merge(text, 1, Integer::sum);
                }
                return;
            }
            if (PoolFrames.isApplication(name)) {
                return;
            }
        }
    }

    /** The exceptions thrown below a pool or driver, with their counts. */
    Map<String, Integer> thrown() {
        return Map.copyOf(thrown);
    }

    /** The pool in whose request an exception was constructed; null if outside one. */
    private static @Nullable Pool requested(@Nullable RecordedStackTrace stack) {
        if (stack != null) {
            for (RecordedFrame frame : stack.getFrames()) {
                String type = frame.getMethod().getType().getName();
                Pool pool = Pool.REQUESTS.get(type + "::" + frame.getMethod().getName());
                if (pool != null || PoolFrames.isApplication(type)) {
                    return pool;
                }
            }
        }
        return null;
    }

    /** The call site, for example {@code com.acme.Orders.find:12}; empty if unknown. */
    private static String site(@Nullable RecordedStackTrace stack) {
        if (stack != null) {
            for (RecordedFrame frame : stack.getFrames()) {
                String type = frame.getMethod().getType().getName();
                if (PoolFrames.isApplication(type)) {
                    return type + "." + frame.getMethod().getName() + ":" + frame.getLineNumber();
                }
            }
        }
        return "";
    }

    /**
     * Pairs the calls to leases.
     *
     * @param waits the long waits for connections by thread and end
     * @param timeout the longest wait of a request; null if unknown
     * @return the leases, by kind of pool
     */
    Map<String, Leases> leases(Map<Long, NavigableMap<Instant, Instant>> waits, @Nullable Duration timeout) {
        calls.sort(Comparator.comparing(Call::at).thenComparing(Call::end, Comparator.reverseOrder()));
        Map<String, Leases> all = new TreeMap<>();
        for (Pool each : Pool.values()) {
            List<Call> own = calls.stream().filter(call -> call.pool() == each).toList();
            if (!own.isEmpty()) {
                all.put(
                        each.kind,
                        new LeasePairing(each, own, waits, timeout).leases(last, calls.size() == MOST_EVENTS));
            }
        }
        return all;
    }
}
