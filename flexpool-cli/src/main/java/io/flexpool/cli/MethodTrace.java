// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import org.jspecify.annotations.Nullable;

/**
 * Requests and returns of connections in the method traces of a flight recording (JDK 25 and newer). The events have no identity of
 * a connection: a return ends the last lease that its thread began, or, if its thread has none, the oldest of another thread. A
 * method that throws has no event: a failed request is known by the exception that was constructed in it. For one recording.
 */
public final class MethodTrace {
    /** The events that are read. */
    static final String EVENT = "jdk.MethodTrace";

    private static final String EXCEPTION = "java.sql.SQLException";
    private static final String CONSTRUCTOR = "<init>";
    /** HikariCP's threads have the names of their pools, and only one of them runs in each pool. */
    private static final String HOUSEKEEPER = "com.zaxxer.hikari.pool.HikariPool$HouseKeeper";

    private static final int MOST_EVENTS = 4_000_000;
    /** Between the end of a wait and the exception of its request; a slow machine loads classes there. */
    private static final Duration BEFORE_EXCEPTION = Duration.ofMillis(500);
    /** Between the end of a part of a request and the exception of the whole; the shortest timeout of HikariCP is longer. */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    /** How connections of each pool are requested and returned. */
    private enum Pool {
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

        /** Of a request that takes a connection; within a transaction Agroal gives the one that it has. */
        private static final String AGROAL_TAKES = "io.agroal.pool.ConnectionPool::checkMultipleAcquisition";

        private static final Map<String, Pool> REQUESTS =
                Stream.of(values()).collect(Collectors.toMap(each -> each.request, each -> each));
        private static final Map<String, Pool> RETURNS = Stream.of(values())
                .flatMap(each -> Stream.of(each.returns, each.closes).distinct().map(name -> Map.entry(name, each)))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        private final String kind;
        private final String request;
        /** Once for each lease. */
        private final String returns;
        /** What people trace instead; a second close of a connection is a call too. */
        private final String closes;

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

    /** What is traced. Classes that are not loaded do no harm. */
    static final String FILTER = Stream.concat(
                    Stream.of(Pool.values()).flatMap(each -> Stream.of(each.request, each.returns)),
                    Stream.of(Pool.AGROAL_TAKES, EXCEPTION + "::" + CONSTRUCTOR, HOUSEKEEPER + "::run"))
            .collect(Collectors.joining(";"));

    /** A request, or a return, or what was seen within one. */
    private record Call(Pool pool, String method, Instant at, Instant end, long thread, String site) {}

    private final List<Call> calls = new ArrayList<>();
    /** Each once: there are few call sites and many requests. */
    private final Map<String, String> sites = new HashMap<>();

    private Instant last = Instant.MIN;

    /** Nothing is read yet. */
    MethodTrace() {}

    /**
     * A lease, or a request that failed.
     *
     * @param site the method that requested the connection; empty if it is unknown
     * @param line its line; -1 if it is unknown
     * @param thread the thread's number
     * @param at when it was requested
     * @param begin when the lease began, or the request failed
     * @param end when the lease ended, or the recording
     * @param ending which of them
     * @param nested whether its thread had another connection of this pool
     */
    public record Lease(
            String site, int line, long thread, Instant at, Instant begin, Instant end, Ending ending, boolean nested) {
        /** {@return how long it was requested} */
        public Duration waited() {
            return Duration.between(at, begin);
        }

        /** {@return how long it lasted, or has lasted; zero if the request failed} */
        public Duration held() {
            return Duration.between(begin, end);
        }
    }

    /**
     * What was recorded of one kind of pool.
     *
     * @param leases in the order in which they were requested, those that failed among them
     * @param earlier returns of connections that were requested before the recording
     * @param untimed failed requests of which it is unknown how long they waited, and which are no leases
     * @param cut whether there were too many events, so that the last are left out
     */
    public record Leases(List<Lease> leases, int earlier, int untimed, boolean cut) {
        /** {@return whether at least one connection was returned, so that lengths are known} */
        public boolean hasReturns() {
            return leases.stream().anyMatch(each -> each.ending() == Ending.RELEASED);
        }

        /** {@return what the trace lacks, one sentence each} */
        public List<String> missing() {
            List<String> sentences = new ArrayList<>();
            if (earlier > 0) {
                sentences.add(counted(earlier, "connection was", "connections were")
                        + " requested before the recording began, and not counted.");
            }
            if (untimed > 0) {
                sentences.add(counted(untimed, "request", "requests")
                        + " failed after an unknown wait, and not counted; --timeout gives this time.");
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
     * The settings of a recording that has what is read here, and no other event.
     *
     * @return the content of a file of settings of the JDK
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
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\">\n" + events
                + "</configuration>\n";
    }

    private static String event(String name, String more) {
        return "<event name=\"" + name + "\"><setting name=\"enabled\">true</setting>"
                + "<setting name=\"stackTrace\">true</setting>" + more + "</event>\n";
    }

    /**
     * What a recording has of all pools.
     *
     * @param leases by the kind of pool; none if no method was traced
     * @param damage what was wrong with the file; empty if nothing
     */
    public record Read(Map<String, Leases> leases, String damage) {}

    /**
     * Reads a recording.
     *
     * @param file the recording
     * @return what it has
     * @throws IOException naming the file, if it is no recording
     */
    public static Read read(Path file) throws IOException {
        JfrWaits.Recording recording = JfrReader.read(file, null);
        return new Read(recording.traced(), recording.damage());
    }

    /**
     * Adds an event.
     *
     * @param event one of {@link #EVENT}; others are left out
     */
    void add(RecordedEvent event) {
        if (calls.size() == MOST_EVENTS) {
            return;
        }
        last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
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

    /** The pool in whose request an exception was constructed; null if it was elsewhere. */
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

    /** {@code com.acme.Orders.find:12}; empty if it is unknown. */
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
     * The leases.
     *
     * @param waits of each thread its long waits for a connection, by their ends
     * @param timeout how long a request waits at most; null if that is unknown
     * @return what was recorded, by the kind of pool
     */
    Map<String, Leases> leases(Map<Long, NavigableMap<Instant, Instant>> waits, @Nullable Duration timeout) {
        calls.sort(Comparator.comparing(Call::at).thenComparing(Call::end, Comparator.reverseOrder()));
        Map<String, Leases> all = new TreeMap<>();
        for (Pool each : Pool.values()) {
            List<Call> own = calls.stream().filter(call -> call.pool() == each).toList();
            if (!own.isEmpty()) {
                all.put(each.kind, new Pairing(each, own, waits, timeout).leases(last, calls.size() == MOST_EVENTS));
            }
        }
        return all;
    }

    /** Finds which return belongs to which request, of one kind of pool. */
    private static final class Pairing {
        private final Pool pool;
        private final Map<Long, NavigableMap<Instant, Instant>> waits;
        private final @Nullable Duration timeout;
        private final Map<Long, Deque<Begun>> open = new HashMap<>();
        private final List<Begun> begun = new ArrayList<>();
        private final List<Instant> unmatched = new ArrayList<>();
        private final Map<Long, Instant> failedUntil = new HashMap<>();
        private int earlier;
        private int untimed;

        Pairing(
                Pool pool,
                List<Call> calls,
                Map<Long, NavigableMap<Instant, Instant>> waits,
                @Nullable Duration timeout) {
            this.pool = pool;
            this.waits = waits;
            this.timeout = timeout;
            pair(calls);
            pairOthers();
        }

        /** A lease whose end may be unknown yet. */
        private static final class Begun {
            private final Call request;
            /** Whether an exception was constructed in it: then it has failed if no return belongs to it. */
            private boolean doubtful;

            private Ending ending = Ending.OPEN;
            private @Nullable Instant end;

            Begun(Call request) {
                this.request = request;
            }

            void end(Instant at) {
                // A pool may return a connection before its request has ended, where that fails late.
                end = at.isBefore(request.end()) ? request.end() : at;
                ending = Ending.RELEASED;
            }
        }

        private void pair(List<Call> calls) {
            Set<String> methods = calls.stream().map(Call::method).collect(Collectors.toCollection(HashSet::new));
            String returns = methods.contains(pool.returns) ? pool.returns : pool.closes;
            boolean marked = methods.contains(Pool.AGROAL_TAKES);
            Map<Long, Call> outer = new HashMap<>();
            Set<Call> taking = new HashSet<>();
            // What is within a request begins after it, and belongs to it.
            for (Call call : calls) {
                Call around = outer.get(call.thread());
                boolean within = around != null && call.at().isBefore(around.end());
                if (call.method().equals(pool.request) && !within) {
                    outer.put(call.thread(), call);
                } else if (within && call.method().equals(Pool.AGROAL_TAKES)) {
                    taking.add(around);
                }
            }
            outer.clear();
            for (Call call : calls) {
                Call around = outer.get(call.thread());
                boolean within = around != null && call.at().isBefore(around.end());
                if (call.method().equals(pool.request) && !within) {
                    outer.put(call.thread(), call);
                    if (!marked || taking.contains(call)) {
                        begin(call);
                    }
                } else if (call.method().equals(returns)) {
                    end(call);
                } else if (call.method().equals(CONSTRUCTOR)) {
                    failed(call, within);
                }
            }
        }

        private Deque<Begun> of(long thread) {
            return open.computeIfAbsent(thread, unknown -> new ArrayDeque<>());
        }

        private void begin(Call request) {
            Deque<Begun> own = of(request.thread());
            Begun lease = new Begun(request);
            own.push(lease);
            begun.add(lease);
        }

        private void end(Call call) {
            Begun lease = of(call.thread()).poll();
            if (lease == null) {
                unmatched.add(call.at());
            } else {
                lease.end(call.at());
            }
        }

        /** One request may construct several exceptions, one as the cause of the other. */
        private void failed(Call call, boolean within) {
            Begun lease = of(call.thread()).peek();
            if (lease != null && (within || lease.request.end().plus(AT_ONCE).isAfter(call.at()))) {
                lease.doubtful = true;
            } else if (!within) {
                failed(call);
            }
        }

        private void failed(Call call) {
            Instant until = failedUntil.getOrDefault(call.thread(), Instant.MIN);
            Map.Entry<Instant, Instant> wait =
                    waits.getOrDefault(call.thread(), new TreeMap<>()).floorEntry(call.at());
            boolean known = wait != null && wait.getKey().plus(BEFORE_EXCEPTION).isAfter(call.at());
            Instant at =
                    known ? wait.getValue() : timeout == null ? null : call.at().minus(timeout);
            if (at == null) {
                untimed += call.at().isAfter(until.plus(BEFORE_EXCEPTION)) ? 1 : 0;
            } else if (at.isBefore(until)) {
                return;
            } else {
                Begun lease = new Begun(new Call(pool, pool.request, at, call.at(), call.thread(), call.site()));
                lease.ending = Ending.TIMED_OUT;
                begun.add(lease);
            }
            failedUntil.put(call.thread(), call.at());
        }

        /**
         * Which of the open leases a return of another thread ends does not change how many are open. It is the oldest, or one
         * that began before the recording.
         */
        private void pairOthers() {
            Deque<Begun> left = begun.stream()
                    .filter(each -> each.ending == Ending.OPEN && !each.doubtful)
                    .sorted(Comparator.comparing((Begun each) -> each.request.end()))
                    .collect(Collectors.toCollection(ArrayDeque::new));
            for (Instant at : unmatched) {
                Begun oldest = left.peek();
                if (oldest != null && !oldest.request.end().isAfter(at)) {
                    left.remove();
                    oldest.end(at);
                } else {
                    earlier++;
                }
            }
        }

        Leases leases(Instant last, boolean cut) {
            begun.stream()
                    .filter(each -> each.doubtful && each.ending == Ending.OPEN)
                    .forEach(each -> each.ending = Ending.TIMED_OUT);
            begun.sort(Comparator.comparing(each -> each.request.at()));
            Map<Long, Instant> heldUntil = new HashMap<>();
            List<Lease> leases = new ArrayList<>(begun.size());
            for (Begun each : begun) {
                Call request = each.request;
                int colon = request.site().lastIndexOf(':');
                Instant end = each.ending == Ending.TIMED_OUT ? request.end() : each.end == null ? last : each.end;
                Instant held = heldUntil.getOrDefault(request.thread(), Instant.MIN);
                leases.add(new Lease(
                        colon < 0 ? "" : request.site().substring(0, colon),
                        colon < 0 ? -1 : Integer.parseInt(request.site().substring(colon + 1)),
                        request.thread(),
                        request.at(),
                        request.end(),
                        end.isBefore(request.end()) ? request.end() : end,
                        each.ending,
                        held.isAfter(request.at())));
                if (each.ending != Ending.TIMED_OUT && end.isAfter(held)) {
                    heldUntil.put(request.thread(), end);
                }
            }
            return new Leases(List.copyOf(leases), earlier, untimed, cut);
        }
    }
}
