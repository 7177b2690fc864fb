// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.Explanation.Holder;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.failure.Diagnosis.Held;
import io.flexpool.internal.record.UsualLeases;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A diagnosis in words: the figures that led to it, the holders, and what flexpool did about it or would do. */
public final class ExplanationWriter {
    private static final String OUT_OF_CONNECTIONS = "53300";

    private final Diagnosis diagnosis;
    private final FailureSnapshot situation;
    private final PoolState state;
    private final Held held;
    private final List<String> sentences = new ArrayList<>();

    private ExplanationWriter(Diagnosis diagnosis) {
        this.diagnosis = diagnosis;
        this.situation = diagnosis.situation();
        this.state = situation.failed().state();
        this.held = diagnosis.held();
    }

    static Explanation explain(long number, String pool, String summary, Diagnosis diagnosis) {
        ExplanationWriter evidence = new ExplanationWriter(diagnosis);
        return new Written(
                number,
                InstantSource.system().instant(),
                pool,
                summary,
                diagnosis.cause(),
                evidence.sentences(),
                evidence.holders(),
                evidence.held.open,
                evidence.action());
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
            implements Explanation {
        public Written {
            evidence = List.copyOf(evidence);
            holders = List.copyOf(holders);
        }
    }

    /** A holder as it was seen. */
    public record HolderSeen(
            OpenLease lease,
            OpenLease.Activity activity,
            @Nullable String seen) implements Holder {}

    private List<String> sentences() {
        switch (diagnosis.cause()) {
            case CONNECT_FAILURE -> connectFailure();
            case LEAK -> leak();
            case NESTED -> nested();
            case DEMAND -> {
                crowd();
                durations();
                where();
            }
            case SLOW_DATABASE, HELD_IDLE, HELD -> {
                where();
                durations();
                crowd();
            }
        }
        lesser();
        return sentences;
    }

    private void connectFailure() {
        AcquisitionFailure why = situation.failed().why();
        String state = why.sqlState();
        sentences.add(whatTheDatabaseSays(state) + (state == null ? "" : " (SQLState " + state + ")"));
        sentences.add("the last word was " + why.reason());
        sentences.add(
                held.open == 0
                        ? "no connection is in use"
                        : held.open + (held.open == 1 ? " connection is" : " connections are") + " still in use");
    }

    private static String whatTheDatabaseSays(@Nullable String state) {
        if (state == null) {
            return "no connect was refused, and none came through in time";
        }
        if (state.equals(OUT_OF_CONNECTIONS)) {
            return "the server has no connections left";
        }
        if (state.startsWith("57P")) {
            return "the server is shutting down or starting";
        }
        if (state.startsWith("28")) {
            return "the server refuses the login";
        }
        if (state.startsWith("3D")) {
            return "there is no such database";
        }
        return state.startsWith("08") ? "the server cannot be reached" : "the server refuses";
    }

    private void leak() {
        if (held.suspected > 0) {
            sentences.add(of(held.suspected) + " have been leased for longer than the leak threshold");
        }
        if (held.abandoned > 0) {
            sentences.add("the threads of " + held.abandoned + " of the " + held.sampled
                    + " sampled holders have ended or are idle: no thread is left to close the connections, unless they"
                    + " were handed to another thread");
        }
        sentences.add("the oldest lease has lasted "
                + millis(situation.leases().get(0).age().toNanos()));
    }

    private void nested() {
        int own = held.own;
        if (own > 0) {
            sentences.add("the thread that asks holds " + own + " of the " + held.open + " connections itself");
        }
        if (held.sampled > 0) {
            sentences.add(held.waiting + " of the " + held.sampled
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
        if (held.open == 0) {
            return;
        }
        UsualLeases past = situation.usual();
        String age = "the median age of open leases is " + millis(situation.medianAgeNanos());
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
        sentences.add((diagnosis.longer() ? "leases lasted " : "lease times are unchanged: ")
                + percentiles(past.usual())
                + " before"
                + (past.recent().count() == 0
                        ? ""
                        : ", and " + percentiles(past.recent()) + " in the last " + past.windowNanos() / 1_000_000_000
                                + " s (" + past.recent().count() + " leases)"));
    }

    /** Whether in the database or not, as far as that is known, and how it is known. */
    private void where() {
        if (held.open == 0) {
            sentences.add("the holders of the connections are unknown");
            return;
        }
        if (held.idleShare >= 0) {
            sentences.add("the open connections spent " + Math.round(100 * (1 - held.idleShare))
                    + " % of their time in the database; now " + held.inDatabase + " of " + held.open
                    + " are inside a call");
        } else if (held.sampled > 0) {
            sentences.add("of the " + held.sampled + " oldest holders' threads " + held.inDatabase
                    + " are inside a call into the database, by their stacks; time-in-database measures it for all");
        } else {
            sentences.add("unknown whether in the database: switch on time-in-database");
        }
    }

    /** What did not decide, but should be known. */
    private void lesser() {
        if (diagnosis.cause() != Explanation.Cause.LEAK && held.leaked > 0) {
            sentences.add(of(held.leaked) + " look leaked");
        }
        int own = held.own;
        if (diagnosis.cause() != Explanation.Cause.NESTED && own > 0) {
            sentences.add("the thread that asks holds " + own + " itself");
        }
        if (state.foreign() > 0) {
            sentences.add(state.foreign() + " connections were borrowed directly from the pool");
        }
    }

    private String of(int some) {
        return some + " of " + held.open + " open connections";
    }

    private List<Holder> holders() {
        return situation.leases().stream()
                .limit(Explanation.MOST_HOLDERS)
                .<Holder>map(lease -> {
                    ThreadSample seen = situation.seen(lease);
                    return new HolderSeen(
                            lease, FailureSnapshot.activity(lease, seen), seen == null ? null : seen.words());
                })
                .toList();
    }

    // ---- what flexpool did ----

    private String action() {
        String tried = situation.failed().attempt().number() > 1
                ? "tried " + situation.failed().attempt().number() + " times; "
                : "";
        boolean grown = state.bound() && state.limit() > state.base();
        String grew = grown ? "has grown the limit from " + state.base() + " to " + state.limit() + "; " : "";
        return tried
                + grew
                + switch (diagnosis.cause()) {
                    case DEMAND -> room();
                    case SLOW_DATABASE ->
                        "more connections would bring more work to a database that is slow; look at the statements";
                    case HELD_IDLE ->
                        "more connections would be held as well; give them back before doing other work, at the call"
                                + " sites above";
                    case HELD -> "time-in-database shows whether the database is slow or the application holds them";
                    case LEAK ->
                        "a leaked connection comes back only when it is closed, or by leak.reclaim-after; more"
                                + " connections would leak as well";
                    case NESTED ->
                        "use the connection that the thread holds, or have more connections than threads that do this";
                    case CONNECT_FAILURE -> outage();
                }
                + course();
    }

    /** The mode, and what was or would have been decided. */
    private String course() {
        FailureSnapshot.SizingStatus course = situation.sizing();
        StringBuilder words = new StringBuilder(" (mode ").append(course.mode().word());
        List<Decision> decisions = course.decisions();
        if (!decisions.isEmpty() && course.mode() == PoolMode.RECOMMEND) {
            words.append("; would have decided: ")
                    .append(decisions.get(decisions.size() - 1).describe());
        } else if (!decisions.isEmpty()) {
            words.append("; decided last: ")
                    .append(decisions.stream().map(Decision::describe).collect(Collectors.joining("; ")));
        }
        return words.append(')').toString();
    }

    private String room() {
        if (!state.bound()) {
            return "only watches this pool and changed nothing; a larger pool would help, if the database can take it"
                    + " (base and grow-on-wait)";
        }
        boolean acts = situation.sizing().mode() == PoolMode.ADAPT;
        if (!acts && !situation.sizing().grows()) {
            return "keeps the limit of " + state.limit() + "; grow-on-wait would give those who wait more room";
        }
        if (acts && state.limit() < state.ceiling()) {
            return "sizes this pool up to " + state.ceiling() + ", as far as more connections get more done";
        }
        return state.limit() < state.ceiling()
                ? "grows up to " + state.ceiling() + " as long as requests wait"
                : "is at its ceiling of " + state.ceiling()
                        + " and gives no more; raise it if the database can take it";
    }

    private String outage() {
        if (OUT_OF_CONNECTIONS.equals(situation.failed().why().sqlState())) {
            return "does not grow while connects fail; the server must allow more connections, or its clients' pools"
                    + " must be smaller together";
        }
        return "does not grow while connects fail, for more connections would make it worse";
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
