// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.Explanation.Holder;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OtherWork;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A diagnosis in words: the figures that led to it, the holders, and what flexpool did about it or would do. */
public final class ExplanationWriter {
    static final String OUT_OF_CONNECTIONS = "53300";

    private final Diagnosis diagnosis;
    private final Situation situation;
    private final PoolState state;
    private final @Nullable ServerSentences server;
    private final List<String> sentences = new ArrayList<>();

    private ExplanationWriter(Situation situation) {
        this.situation = situation;
        this.diagnosis = new Diagnosis(situation);
        this.state = situation.failed().state();
        this.server = situation.look() == null
                ? null
                : new ServerSentences(situation.look(), diagnosis.server, diagnosis.open);
    }

    static Explanation explain(long number, String pool, String summary, Situation situation) {
        ExplanationWriter writer = new ExplanationWriter(situation);
        return new Written(
                number,
                InstantSource.system().instant(),
                pool,
                summary,
                writer.diagnosis.cause,
                writer.evidence(),
                writer.holders(),
                writer.diagnosis.open,
                writer.action());
    }

    /** An explanation as it was written. */
    public record Written(
            long number,
            Instant time,
            String pool,
            String summary,
            Cause cause,
            List<String> evidence,
            List<Holder> holders,
            int openLeases,
            String action)
            implements Explanation {}

    /** A holder as it was seen. */
    public record HolderSeen(
            OpenLease lease,
            OpenLease.Activity activity,
            @Nullable String seen,
            @Nullable OtherWork otherWork,
            boolean openInView)
            implements Holder {}

    private List<String> evidence() {
        switch (diagnosis.cause) {
            case CONNECT_FAILURE, SERVER_FULL -> connectFailure();
            case LEAK -> leak();
            case NESTED -> nested();
            case DEMAND -> {
                crowd();
                durations();
                sentences.add(where());
            }
            case BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER, BLOCKED_BY_DDL -> {
                if (server != null) {
                    sentences.addAll(server.blocked());
                }
                durations();
                crowd();
            }
            case SLOW_DATABASE, HELD_IDLE, HELD, SERVER_BUSY -> {
                if (server != null) {
                    sentences.addAll(server.doing());
                }
                sentences.add(where());
                instead();
                durations();
                crowd();
            }
        }
        lesser();
        return List.copyOf(sentences);
    }

    private void connectFailure() {
        AcquisitionFailure why = situation.failed().why();
        String sqlState = why.sqlState();
        sentences.add(whatTheDatabaseSays(sqlState) + (sqlState == null ? "" : " (SQLState " + sqlState + ")"));
        sentences.add("the last word was " + Words.clause(why.reason()));
        String inUse = Words.count(diagnosis.open, "connection") + (diagnosis.open == 1 ? " is" : " are");
        sentences.add(diagnosis.open == 0 ? "no connection is in use" : inUse + " still in use");
    }

    private static String whatTheDatabaseSays(@Nullable String sqlState) {
        if (sqlState == null) {
            return "no connect was refused, and none came through in time";
        }
        if (sqlState.equals(OUT_OF_CONNECTIONS)) {
            return "the server has no connections left";
        }
        if (sqlState.startsWith("57P")) {
            return "the server is shutting down or starting";
        }
        if (sqlState.startsWith("28")) {
            return "the server refuses the login";
        }
        if (sqlState.startsWith("3D")) {
            return "there is no such database";
        }
        return sqlState.startsWith("08") ? "the server cannot be reached" : "the server refuses";
    }

    private void leak() {
        if (diagnosis.suspected > 0) {
            sentences.add(of(diagnosis.suspected) + " have been leased for longer than the leak threshold");
        }
        if (diagnosis.abandoned > 0) {
            sentences.add("the threads of " + diagnosis.abandoned + " of the " + diagnosis.sampled
                    + " sampled holders have ended or are idle: no thread is left to close the connections, unless they"
                    + " were handed to another thread");
        }
        sentences.add("the oldest lease has lasted "
                + millis(situation.leases().get(0).age().toNanos()));
    }

    private void nested() {
        if (diagnosis.own > 0) {
            sentences.add("the thread that asks holds " + diagnosis.own + " of the " + diagnosis.open
                    + " connections itself");
        }
        if (diagnosis.sampled > 0) {
            sentences.add(diagnosis.waiting + " of the " + diagnosis.sampled
                    + " sampled holders wait for a connection themselves, of this pool or another");
        }
        crowd();
    }

    /** How many ask, for how many connections. The request that failed waits no longer. */
    private void crowd() {
        if (state.pending() > 0) {
            sentences.add(state.pending() + (state.pending() == 1 ? " other request waits" : " other requests wait")
                    + " for the " + state.leased() + " active connections");
        }
    }

    /** How long connections are held, against what was usual. */
    private void durations() {
        if (diagnosis.open == 0) {
            return;
        }
        UsualLeases past = situation.usual();
        String age = "the median age of open leases is " + millis(diagnosis.medianAgeNanos);
        if (!past.known()) {
            sentences.add(age + ", and there are too few leases before to compare with");
            return;
        }
        sentences.add(age + ", " + millis((long) past.usualAgeNanos()) + " is typical");
        if (past.recent().count() >= past.usual().count()) {
            // A pool that is younger than the window.
            sentences.add("leases lasted " + percentiles(past.usual()) + " so far");
            return;
        }
        sentences.add((diagnosis.longer ? "leases lasted " : "lease times are unchanged: ")
                + percentiles(past.usual())
                + " before"
                + (past.recent().count() == 0
                        ? ""
                        : ", and " + percentiles(past.recent()) + " in the last " + past.windowNanos() / 1_000_000_000
                                + " s (" + past.recent().count() + " leases)"));
    }

    /** Whether in the database or not, as far as that is known, and how it is known. */
    private String where() {
        if (diagnosis.open == 0) {
            return "the holders of the connections are unknown";
        }
        if (diagnosis.idleShare >= 0) {
            return "the open connections spent " + Math.round(100 * (1 - diagnosis.idleShare))
                    + " % of their time in the database; now " + diagnosis.inDatabase + " of " + diagnosis.open
                    + " are inside a call";
        }
        return diagnosis.sampled > 0
                ? "of the " + diagnosis.sampled + " oldest holders' threads " + diagnosis.inDatabase
                        + " are inside a call into the database, by their stacks; time-in-database measures it for all"
                : "unknown whether in the database: switch on time-in-database";
    }

    /** What the sampled holders do with their time instead, the most frequent first, and whether a view holds them. */
    private void instead() {
        Map<OtherWork, Long> work = sampled()
                .map(ThreadSample::work)
                .filter(Objects::nonNull)
                .collect(
                        Collectors.groupingBy(one -> one, () -> new EnumMap<>(OtherWork.class), Collectors.counting()));
        if (!work.isEmpty()) {
            String each = work.entrySet().stream()
                    .sorted(Map.Entry.<OtherWork, Long>comparingByValue().reversed())
                    .map(one -> one.getValue() + " " + one.getKey().words())
                    .collect(Collectors.joining(", "));
            sentences.add("held by the sampled threads: " + each);
        }
        long views = sampled().filter(one -> one.viewEnds() != null).count();
        if (views > 0) {
            sentences.add(views + " of the " + diagnosis.sampled + " sampled holders handle a web request and are in no"
                    + " transaction: held by open-in-view");
        }
    }

    private Stream<ThreadSample> sampled() {
        return situation.leases().stream()
                .limit(ThreadSample.MOST)
                .map(lease -> situation.samples().get(lease.threadId()))
                .filter(Objects::nonNull);
    }

    /** What would end the leases that an open view holds; null if none is. */
    private @Nullable String viewEnds() {
        return sampled()
                .map(ThreadSample::viewEnds)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** What did not decide, but should be known. */
    private void lesser() {
        if (server != null) {
            if (!isBlocked()) {
                // Too few to be the cause, or behind a session that was not visible.
                sentences.addAll(server.blocked());
            }
            sentences.addAll(server.server(diagnosis.cause == Cause.SERVER_FULL));
        }
        if (diagnosis.cause != Cause.LEAK && diagnosis.leaked > 0) {
            sentences.add(of(diagnosis.leaked) + " look leaked");
        }
        if (diagnosis.cause != Cause.NESTED && diagnosis.own > 0) {
            sentences.add("the thread that asks holds " + diagnosis.own + " itself");
        }
        if (state.foreign() > 0) {
            sentences.add(state.foreign() + " connections were borrowed directly from the pool");
        }
    }

    private boolean isBlocked() {
        return switch (diagnosis.cause) {
            case BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER, BLOCKED_BY_DDL -> true;
            default -> false;
        };
    }

    private String of(int some) {
        return some + " of " + diagnosis.open + " open connections";
    }

    private List<Holder> holders() {
        return situation.leases().stream()
                .limit(Explanation.MOST_HOLDERS)
                .<Holder>map(lease -> {
                    ThreadSample seen = situation.samples().get(lease.threadId());
                    return new HolderSeen(
                            lease,
                            Diagnosis.activity(lease, seen),
                            seen == null ? null : seen.words(),
                            seen == null ? null : seen.work(),
                            seen != null && seen.viewEnds() != null);
                })
                .toList();
    }

    // ---- what flexpool did ----

    private String action() {
        int attempts = situation.failed().attempt().number();
        String tried = attempts > 1 ? "tried " + attempts + " times; " : "";
        boolean grown = state.bound() && state.limit() > state.base();
        String grew = grown ? "has grown the limit from " + state.base() + " to " + state.limit() + "; " : "";
        return tried
                + grew
                + switch (diagnosis.cause) {
                    case DEMAND -> room();
                    case SLOW_DATABASE ->
                        "more connections would bring more work to a database that is slow; look at the statements";
                    case HELD_IDLE ->
                        "more connections would be held as well; give them back before doing other work, at the call"
                                + " sites above"
                                + (viewEnds() == null
                                        ? ""
                                        : "; " + viewEnds() + " gives them back at the end of the transaction");
                    case HELD -> "time-in-database shows whether the database is slow or the application holds them";
                    case LEAK ->
                        "a leaked connection comes back only when it is closed, or by leak.reclaim-after; more"
                                + " connections would leak as well";
                    case NESTED ->
                        "use the connection that the thread holds, or have more connections than threads that do this";
                    case BLOCKED_BY_HOLDER ->
                        "more connections would only wait as well; end the transaction that others wait for before doing"
                                + " other work, at the call site above";
                    case BLOCKED_BY_OTHER ->
                        "more connections would only wait as well; that session has to commit, roll back or end";
                    case BLOCKED_BY_DDL ->
                        "more connections would only wait as well; change the schema with a lock timeout, while the table"
                                + " is at rest";
                    case SERVER_BUSY ->
                        "more connections would bring more work to a server that is busy; look at the statements";
                    case CONNECT_FAILURE, SERVER_FULL -> outage();
                }
                + course();
    }

    /** The mode, and what was or would have been decided. */
    private String course() {
        List<Decision> decisions = situation.decisions();
        String decided = "";
        if (!decisions.isEmpty()) {
            decided = situation.mode() == PoolMode.RECOMMEND
                    ? "; would have decided: "
                            + decisions.get(decisions.size() - 1).describe()
                    : "; decided last: "
                            + decisions.stream().map(Decision::describe).collect(Collectors.joining("; "));
        }
        return " (mode " + situation.mode().word() + decided + ")";
    }

    private String room() {
        if (!state.bound()) {
            return "only watches this pool and changed nothing; a larger pool would help, if the database can take it"
                    + " (base and grow-on-wait)";
        }
        boolean acts = situation.mode() == PoolMode.ADAPT;
        if (!acts && !situation.grows()) {
            return "keeps the limit of " + state.limit() + "; grow-on-wait would give those who wait more room";
        }
        if (state.limit() >= state.ceiling()) {
            return "is at its ceiling of " + state.ceiling()
                    + " and gives no more; raise it if the database can take it";
        }
        return acts
                ? "sizes this pool up to " + state.ceiling() + ", as far as more connections get more done"
                : "grows up to " + state.ceiling() + " as long as requests wait";
    }

    private String outage() {
        return "does not grow while connects fail"
                + (diagnosis.cause == Cause.SERVER_FULL
                                || OUT_OF_CONNECTIONS.equals(
                                        situation.failed().why().sqlState())
                        ? "; the server must allow more connections, or its clients' pools must be smaller together"
                        : ", for more connections would make it worse");
    }

    private static String percentiles(HistogramSnapshot leases) {
        return "p50 " + millis(leases.percentileNanos(0.5)) + " and p99 " + millis(leases.percentileNanos(0.99));
    }

    /** Without a formatter, whose first use costs more than all the rest. */
    private static String millis(long nanos) {
        long tenths = Math.round(nanos / 1e5);
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " ms" : Math.round(nanos / 1e6) + " ms";
    }
}
