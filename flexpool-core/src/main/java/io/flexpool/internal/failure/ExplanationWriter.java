// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.Explanation.Holder;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.context.Insight;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.time.Duration;
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

/** Writes a diagnosis as text: the evidence, the holders, the actions of flexpool, and the advice. */
public final class ExplanationWriter {
    static final String OUT_OF_CONNECTIONS = "53300";

    private static final String NO_LARGER_POOL = "A larger pool would not help. ";

    private final Diagnosis diagnosis;
    private final Situation situation;
    private final PoolState state;
    private final @Nullable SessionFindings server;
    private final Insight.@Nullable Findings parts;
    private final List<String> sentences = new ArrayList<>();
    /** The findings of parts about the pool's sessions and about the server. Read once: they may change. */
    private final List<String> serverSays;

    private ExplanationWriter(Situation situation) {
        this.situation = situation;
        this.diagnosis = new Diagnosis(situation);
        this.state = situation.failed().state();
        this.server = diagnosis.server;
        this.parts = situation.findings();
        this.serverSays = parts == null ? new ArrayList<>() : new ArrayList<>(parts.findings());
        if (server != null) {
            serverSays.addAll(server.server(diagnosis.cause == Cause.SERVER_FULL));
        }
    }

    static Explanation explain(long number, String pool, @Nullable String traceId, Situation situation) {
        return new ExplanationWriter(situation).written(number, pool, traceId);
    }

    private Written written(long number, String pool, @Nullable String traceId) {
        Cause cause = diagnosis.cause;
        List<String> evidence = evidence();
        List<String> causes = new ArrayList<>();
        // A lock and its owner are written first, because its owner must act.
        List<String> waits = isBlocked() && server != null ? server.waits() : List.of();
        causes.addAll(waits);
        FailedAttempt failed = situation.failed();
        if (!isConnecting() || failed.presumed()) {
            causes.add(failed.details(traceId) + "; report " + number);
        }
        evidence.stream()
                .filter(clause -> !waits.contains(clause) && !serverSays.contains(clause))
                .forEach(causes::add);
        if (isConnecting() && !failed.presumed()) {
            // The server's refusal is written before the pool's figures.
            causes.add("not exhausted: " + failed.pool(traceId) + "; report " + number);
        }
        String actions = actions();
        String ofPart = adviceOfPart();
        String advice = ofPart == null ? advice() : ofPart;
        OpenLease blocker = server == null ? null : server.blocker();
        String text = new ExplanationTable(failed.headline(pool) + cause.words())
                .clauses("cause", causes, serverSays.isEmpty() ? 5 : 3)
                .lines("holders", new HolderRows(situation, blocker).lines(4))
                .clauses("server", serverSays, 2)
                .lines("actions", List.of(actions))
                .lines("advice", List.of(advice))
                .toString();
        return new Written(
                number,
                InstantSource.system().instant(),
                pool,
                failed.summary(pool, traceId),
                cause,
                evidence,
                holders(),
                diagnosis.open,
                actions + ". " + advice,
                text);
    }

    public record Written(
            long number,
            Instant time,
            String pool,
            String summary,
            Cause cause,
            List<String> evidence,
            List<Holder> holders,
            int openLeases,
            String action,
            String text)
            implements Explanation {}

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
            case LOCK_INVERSION -> inverted();
            case OPENING -> opening();
            case DEMAND -> {
                crowd();
                durations();
                where();
            }
            case BLOCKED, BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER, BLOCKED_BY_DDL -> {
                if (server != null) {
                    sentences.addAll(server.waits());
                }
                durations();
                crowd();
            }
            case SLOW_DATABASE, HELD_IDLE, HELD, SERVER_BUSY -> {
                if (server != null) {
                    sentences.addAll(server.works());
                }
                where();
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
        if (situation.failed().presumed()) {
            sentences.add("the pool reports no connect failure, and no connection opened in time");
        } else {
            sentences.add(refusal(sqlState) + (sqlState == null ? "" : " (SQLState " + sqlState + ")"));
            sentences.add("last error: " + Words.clause(why.reason()));
        }
        String inUse = Words.count(diagnosis.open, "connection") + (diagnosis.open == 1 ? " is" : " are");
        sentences.add(diagnosis.open == 0 ? "no connection is in use" : inUse + " still in use");
    }

    private static String refusal(@Nullable String sqlState) {
        if (sqlState == null) {
            return "the connect failed";
        }
        if (sqlState.equals(OUT_OF_CONNECTIONS)) {
            return "the server allows no more connections";
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
        return sqlState.startsWith("08") ? "the server cannot be reached" : "the server refuses connections";
    }

    private void leak() {
        overdue();
        if (diagnosis.abandoned > 0) {
            sentences.add("the threads of " + diagnosis.abandoned + " of the " + diagnosis.sampled
                    + " sampled holders have ended or wait for other work: only another thread can"
                    + " close their connections");
        }
        if (diagnosis.left > 0) {
            sentences.add("the threads of " + diagnosis.left + " of the " + diagnosis.sampled
                    + " sampled holders have left the method that requested the connection");
        }
        if (diagnosis.quiet > 0) {
            sentences.add(diagnosis.quiet + " of them have run no statement for more than "
                    + Words.span(Duration.ofNanos(situation.leakNanos())) + " (leak.threshold)");
        }
        sentences.add("the oldest lease has lasted "
                + millis(situation.leases().get(0).age().toNanos()));
    }

    /** Adds the number of leases above the leak threshold, whether they are leaks or not. */
    private void overdue() {
        if (diagnosis.suspected > 0) {
            sentences.add(of(diagnosis.suspected) + (diagnosis.suspected == 1 ? " is" : " are")
                    + " leased for longer than leak.threshold");
        }
    }

    private void nested() {
        if (diagnosis.own > 0) {
            sentences.add("the requesting thread holds " + diagnosis.own + " of the "
                    + Words.count(diagnosis.open, "connection") + " itself");
        }
        if (diagnosis.sampled > 0) {
            sentences.add(diagnosis.waiting + " of the " + diagnosis.sampled
                    + " sampled holders wait for a connection themselves, of this pool or another");
        }
        crowd();
    }

    private void inverted() {
        String owners = sampled()
                .filter(ThreadSample::inverted)
                .map(sample -> Objects.requireNonNull(sample.lockOwner()).thread())
                .distinct()
                .collect(Collectors.joining(", "));
        sentences.add(diagnosis.inverted + " of the " + diagnosis.sampled
                + " sampled holders wait for a lock of thread " + owners + ", which waits for a connection");
        crowd();
    }

    private void opening() {
        sentences.add("the pool has " + Words.count(state.pool().total(), "connection") + " and may have "
                + Occupancy.of(state).most() + "; it reports no connect failure");
        durations();
        crowd();
    }

    /** Adds the numbers of waiting requests and of leased connections. The failed request does not wait. */
    private void crowd() {
        if (state.pending() > 0) {
            sentences.add(state.pending() + (state.pending() == 1 ? " other request waits" : " other requests wait")
                    + ", the application holds " + Words.count(state.leased(), "connection"));
        }
    }

    private void durations() {
        if (diagnosis.open == 0) {
            return;
        }
        UsualLeases past = situation.usual();
        String age = "open leases: median age " + millis(diagnosis.medianAgeNanos);
        if (!past.known()) {
            sentences.add(age + ", usual age unknown (too few leases before this failure)");
            return;
        }
        sentences.add(age + ", usually " + millis((long) past.usualAgeNanos()));
        if (past.recent().count() >= past.usual().count()) {
            // The pool is younger than the window: there are no earlier leases.
            sentences.add("ended leases: " + percentiles(past.usual()));
            return;
        }
        sentences.add((diagnosis.longer ? "ended leases: " : "lease times are unchanged: ")
                + percentiles(past.usual())
                + " earlier"
                + (past.recent().count() == 0
                        ? ""
                        : ", and " + percentiles(past.recent()) + " in the last " + past.windowNanos() / 1_000_000_000
                                + " s (" + past.recent().count() + " leases)"));
    }

    /** Adds where the leases spend their time (in the database or not), and the source of this information. */
    private void where() {
        if (diagnosis.open == 0) {
            sentences.add("the holders of the connections are unknown");
        } else if (diagnosis.idleShare >= 0) {
            sentences.add("the open connections spent " + Math.round(100 * (1 - diagnosis.idleShare))
                    + " % of their time in the database; " + diagnosis.inDatabase + " of " + diagnosis.open
                    + " run a statement now");
        } else if (diagnosis.handedOn > 0) {
            sentences.add("another thread runs a statement on " + diagnosis.handedOn + " of the " + diagnosis.sampled
                    + " oldest leases (seen in the server)");
        } else if (diagnosis.sampled > 0) {
            sentences.add(diagnosis.inDatabase + " of the " + diagnosis.sampled
                    + " oldest holders run a statement (seen in their stack traces)");
        }
    }

    /** Adds the other work of the sampled holders, the most frequent first, and the number held by open-in-view. */
    private void instead() {
        Map<OtherWork, Long> work = works();
        if (!work.isEmpty()) {
            String each = work.entrySet().stream()
                    .sorted(Map.Entry.<OtherWork, Long>comparingByValue().reversed())
                    .map(one -> one.getValue() + " " + HolderRows.briefly(one.getKey()))
                    .collect(Collectors.joining(", "));
            sentences.add("work of the sampled threads: " + each);
        }
        long views = sampled().filter(one -> one.viewEnds() != null).count();
        if (views > 0) {
            sentences.add(views + " of the " + diagnosis.sampled + " sampled holders handle a web request and are in no"
                    + " transaction: held by open-in-view");
        }
    }

    private Map<OtherWork, Long> works() {
        return sampled()
                .map(ThreadSample::work)
                .filter(Objects::nonNull)
                .collect(
                        Collectors.groupingBy(one -> one, () -> new EnumMap<>(OtherWork.class), Collectors.counting()));
    }

    private Stream<ThreadSample> sampled() {
        return situation.leases().stream()
                .limit(ThreadSample.MOST)
                .map(lease -> situation.samples().get(lease.threadId()))
                .filter(Objects::nonNull);
    }

    /** Returns the setting that ends leases held by open-in-view; null without such a sampled lease. */
    private @Nullable String viewEnds() {
        return sampled()
                .map(ThreadSample::viewEnds)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Adds findings that did not determine the cause. */
    private void lesser() {
        if (server != null && !isBlocked()) {
            // Too few to be the cause, or behind a session that was not visible.
            sentences.addAll(server.waits());
        }
        sentences.addAll(serverSays);
        if (diagnosis.cause != Cause.LEAK && !isConnecting()) {
            overdue();
        }
        if (diagnosis.cause != Cause.NESTED && diagnosis.own > 0) {
            sentences.add("the requesting thread holds " + diagnosis.own + " itself");
        }
        if (state.foreign() > 0) {
            sentences.add(state.foreign() + " connections were borrowed directly from the pool");
        }
    }

    private boolean isBlocked() {
        return switch (diagnosis.cause) {
            case BLOCKED, BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER, BLOCKED_BY_DDL -> true;
            default -> false;
        };
    }

    private boolean isConnecting() {
        return diagnosis.cause == Cause.CONNECT_FAILURE || diagnosis.cause == Cause.SERVER_FULL;
    }

    private String of(int some) {
        return some + " of " + diagnosis.open + " open connections";
    }

    private List<Holder> holders() {
        return situation.leases().stream()
                .limit(Explanation.MOST_HOLDERS)
                .<Holder>map(lease -> {
                    ThreadSample seen = situation.samples().get(lease.threadId());
                    OpenLease.Activity activity = Diagnosis.activity(lease, seen);
                    return new HolderSeen(
                            agreeing(lease, activity),
                            activity,
                            seen == null ? null : seen.words(),
                            seen == null ? null : seen.work(),
                            seen != null && seen.viewEnds() != null);
                })
                .toList();
    }

    /** Drops the server's data if the thread's stack, which is sampled later, contradicts it. */
    static OpenLease agreeing(OpenLease lease, OpenLease.Activity activity) {
        SessionState session = lease.inServer();
        if (session == null || activity == OpenLease.Activity.UNKNOWN || !(lease instanceof LeaseTracker.Open read)) {
            return lease;
        }
        boolean disagree = activity == OpenLease.Activity.IN_DATABASE ? session.idles() : session.works();
        return disagree ? read.withoutSession() : lease;
    }

    /** Returns the attempts, the growth, the mode and the last sizing decision. */
    private String actions() {
        List<String> done = new ArrayList<>();
        int attempts = situation.failed().attempt().number();
        if (attempts > 1) {
            done.add("tried " + attempts + " times");
        }
        if (situation.cap() != null) {
            done.add("keeps at most " + Words.count(state.limit(), "connection") + ", as "
                    + situation.cap().by() + " requires");
        }
        if (state.bound() && state.limit() > state.base()) {
            done.add((situation.mode() == PoolMode.ADAPT ? "raised" : "a strategy raised") + " the limit from "
                    + state.base() + " to " + state.limit());
        }
        if (isConnecting()) {
            done.add(
                    situation.failed().presumed()
                            ? "does not grow until a connection opens"
                            : "does not grow while connects fail");
        }
        if (diagnosis.cause == Cause.DEMAND && state.bound()) {
            growth(done);
        }
        return (done.isEmpty() ? "none" : String.join("; ", done)) + course();
    }

    /** Adds whether the pool grows for waiting requests. */
    private void growth(List<String> done) {
        boolean acts = situation.mode() == PoolMode.ADAPT;
        if (situation.cap() != null || state.limit() >= state.ceiling() || !(acts || situation.grows())) {
            return;
        }
        done.add(
                acts
                        ? "raises the limit, at most to " + state.ceiling()
                                + ", while each step completes more requests"
                        : "grows up to " + state.ceiling() + " while requests wait");
    }

    /** Returns the mode and the last sizing decision, made or recommended. */
    private String course() {
        List<Decision> decisions =
                situation.decisions().stream().filter(this::agrees).toList();
        String decided = decisions.isEmpty()
                ? ""
                : (situation.mode() == PoolMode.RECOMMEND ? "; last recommendation: " : "; last decision: ")
                        + PlainText.line(decisions.get(decisions.size() - 1).explanation());
        return (situation.mode() == PoolMode.RECOMMEND ? "; the sizing controller only reports" : "") + " (mode "
                + situation.mode().toString() + decided + ")";
    }

    private String advice() {
        return switch (diagnosis.cause) {
            case DEMAND -> adviceOnDemand();
            case SLOW_DATABASE, SERVER_BUSY -> NO_LARGER_POOL + "Check the statements of the holders.";
            case HELD_IDLE ->
                NO_LARGER_POOL + "Do not hold the connection " + mainWork() + " (call sites above)."
                        + (viewEnds() == null ? "" : " " + viewEnds() + " returns it at the end of the transaction.");
            case HELD ->
                situation.query() != null
                        ? "Check for slow statements and locks. A larger pool may not help."
                        : "Set flexpool.time-in-database = true to see whether the holders run statements.";
            case LEAK -> NO_LARGER_POOL + "Close the connections (call sites above).";
            case NESTED ->
                "Use the connection that the thread already holds. Otherwise these requests need at least "
                        + (diagnosis.open + 1) + " connections.";
            case LOCK_INVERSION ->
                "Request the connection before the lock, or release the lock first. With a larger pool more holders"
                        + " wait for the lock.";
            case OPENING -> "If connections open slowly, check the network and the server.";
            case BLOCKED, BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER ->
                NO_LARGER_POOL + sentence(Objects.requireNonNull(server).remedy());
            case BLOCKED_BY_DDL -> NO_LARGER_POOL + "End the schema change, and repeat it with a lock timeout.";
            case CONNECT_FAILURE, SERVER_FULL -> outage();
        };
    }

    /** Returns a part's advice; null without one, or if the server has refused: no finding explains that better. */
    private @Nullable String adviceOfPart() {
        String sqlState = situation.failed().why().sqlState();
        boolean refused = isConnecting() && sqlState != null && !sqlState.startsWith("08");
        return parts == null || refused ? null : parts.advice(diagnosis.cause);
    }

    private static String sentence(String clause) {
        return Character.toUpperCase(clause.charAt(0)) + clause.substring(1) + ".";
    }

    /** Returns the most frequent work of the sampled holders outside statements, worded like "during an HTTP call". */
    private String mainWork() {
        Map<OtherWork, Long> work = works();
        return work.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(one -> one.getKey().words())
                .orElse("during other work");
    }

    /** Whether a decision agrees with the cause: it lowers the limit only without demand, and raises it only with. */
    private boolean agrees(Decision decision) {
        return switch (diagnosis.cause) {
            case DEMAND -> ScaleOut.byLoad(decision.cause()) && !lowers(decision);
            case NESTED -> !lowers(decision);
            case HELD, OPENING -> true;
            default -> Math.max(decision.to(), decision.tried()) <= decision.from();
        };
    }

    /** Ignores a lowered cap, which does not contradict demand: the advice then names the part that set the cap. */
    private static boolean lowers(Decision decision) {
        return decision.cause() != Decision.Cause.CAP && Math.max(decision.to(), decision.tried()) < decision.from();
    }

    private String adviceOnDemand() {
        if (2 * state.foreign() > state.leased() + state.foreign()) {
            return "Request these connections through flexpool, so that it can name their holders.";
        }
        if (!state.bound()) {
            return "A larger pool would help if the database has capacity: set flexpool.ceiling and"
                    + " flexpool.grow-on-wait.enabled = true.";
        }
        if (situation.cap() != null) {
            return "flexpool " + situation.cap().relief() + ".";
        }
        boolean acts = situation.mode() == PoolMode.ADAPT;
        if (!acts && !situation.grows()) {
            return "Set flexpool.grow-on-wait.enabled = true to let the pool grow above its limit of " + state.limit()
                    + ".";
        }
        if (state.limit() >= state.ceiling()) {
            return "Raise the ceiling of " + state.ceiling() + " if the database has capacity.";
        }
        return "Wait for the growth. If this load is usual, raise flexpool.base.";
    }

    private String outage() {
        if (situation.failed().presumed()) {
            return "Check the network, the server, and the log of the pool.";
        }
        return diagnosis.cause == Cause.SERVER_FULL
                        || OUT_OF_CONNECTIONS.equals(situation.failed().why().sqlState())
                ? "Raise the limit of the server, database or user, or make the pools of all clients smaller."
                : "Check the server, the network and the credentials. More connects would make it worse.";
    }

    private static String percentiles(HistogramSnapshot leases) {
        return "p50 " + millis(leases.percentileNanos(0.5)) + " and p99 " + millis(leases.percentileNanos(0.99));
    }

    /** Formats without a formatter: its first use would cost more than the rest of the explanation. */
    private static String millis(long nanos) {
        long tenths = Math.round(nanos / 1e5);
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " ms" : Math.round(nanos / 1e6) + " ms";
    }
}
