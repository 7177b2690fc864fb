// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.internal.server.ServerLook;
import io.flexpool.internal.server.ServerView;
import io.flexpool.pool.PoolMode;
import io.flexpool.server.ServerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a failure comes down to. A fixed order of rules on figures alone: the same situation gives the same cause.
 *
 * <ol>
 *   <li>The failure was found to be one of connecting: {@code SERVER_FULL} if the server has no connections left and is
 *       looked at, else {@code CONNECT_FAILURE}.
 *   <li>Half of the open leases or more are suspected leaks; or they are held for longer than usual, and the
 *       threads of half of those looked at or more have ended or wait for other work: {@code LEAK}.
 *   <li>Half of the sampled holders or more wait for a connection themselves; if none was sampled: the asker holds
 *       one, connections are held for longer than usual, and not in the database as far as is known: {@code NESTED}.
 *   <li>Half of the open leases or more are in a chain of locks in the server, and are held for longer than usual or wait
 *       there for {@value #LONG_NANOS} ns or more: {@code BLOCKED_BY_DDL} if they wait behind a change of the schema, else
 *       {@code BLOCKED_BY_HOLDER} or {@code BLOCKED_BY_OTHER} by the head of the chain.
 *   <li>Connections are held for longer than usual, and most run on the server's processors or disks: {@code
 *       SERVER_BUSY}.
 *   <li>Connections are held for longer than usual, that is their median age is higher than
 *       {@value #LONGER} times the age that the leases before let expect; without a past, for longer than the request
 *       waited. Then by the share of their time in the database where that is measured, else by what the oldest holders'
 *       threads did: {@code SLOW_DATABASE}, {@code HELD_IDLE}, or {@code HELD} if nothing is known.
 *   <li>They are held as long as usual, but that is {@value #LONG_NANOS} ns or more and at least
 *       three quarters of it not in the database: {@code HELD_IDLE}.
 *   <li>Else {@code DEMAND}.
 * </ol>
 */
final class Diagnosis {
    static final int LONGER = 3;
    static final long LONG_NANOS = 100_000_000L;
    private static final double MOST_OF_IT = 0.75;

    /** What it is made of. */
    final Situation situation;

    final Cause cause;
    /** Whether connections are held for longer than usual. */
    final boolean longer;
    /** How many leases are open. */
    final int open;
    /** Their median age; 0 if there are none. */
    final long medianAgeNanos;
    /** Those older than the leak threshold. */
    int suspected;
    /** Those whose thread has ended or has nothing to do. */
    int abandoned;
    /** Suspected, abandoned or both. */
    int leaked;
    /** Those of the thread that made the request. */
    int own;
    /** Those inside a call, as measured or sampled. */
    int inDatabase;
    /** Those that are not, as measured or sampled. */
    int idle;
    /** Those whose thread waits for a connection. */
    int waiting;
    /** Those whose thread was sampled. */
    int sampled;
    /** What the server said of the leases; null if nothing. */
    final @Nullable ServerFindings server;
    /** The share of the time not spent in the database, of those where it is measured; -1 if of none. */
    final double idleShare;

    /**
     * All that is known when a request fails: a diagnosis is made of this alone.
     *
     * @param failed the failure
     * @param threadId the thread of the request
     * @param leases the open leases, oldest first
     * @param samples what the threads of some of them did, by thread number
     * @param usual how long leases lasted
     * @param mode what flexpool does about the size
     * @param grows whether a strategy grows the pool for requests that wait
     * @param decisions the last ones of this mode, oldest first
     * @param look the look at the server that the failure caused; null if the server is not looked at
     */
    record Situation(
            FailedAttempt failed,
            long threadId,
            List<OpenLease> leases,
            Map<Long, ThreadSample> samples,
            UsualLeases usual,
            PoolMode mode,
            boolean grows,
            List<Decision> decisions,
            @Nullable ServerLook look) {}

    Diagnosis(Situation situation) {
        this.situation = situation;
        this.open = situation.leases().size();
        this.medianAgeNanos =
                open == 0 ? 0 : situation.leases().get(open / 2).age().toNanos();
        double age = 0;
        double inCalls = 0;
        for (int at = 0; at < open; at++) {
            OpenLease lease = situation.leases().get(at);
            // The threads of the others were not sampled.
            count(lease, at < ThreadSample.MOST ? situation.samples().get(lease.threadId()) : null);
            Duration inDatabaseFor = lease.inDatabase();
            if (inDatabaseFor != null) {
                age += lease.age().toNanos();
                inCalls += Math.min(lease.age().toNanos(), inDatabaseFor.toNanos());
            }
        }
        this.idleShare = age <= 0 ? -1 : 1 - inCalls / age;
        this.server = findings(situation);
        UsualLeases past = situation.usual();
        this.longer = open > 0
                && (past.known()
                        ? medianAgeNanos > LONGER * past.usualAgeNanos()
                        : medianAgeNanos >= situation.failed().waitedNanos());
        this.cause = cause();
    }

    private static @Nullable ServerFindings findings(Situation situation) {
        ServerLook look = situation.look();
        ServerSnapshot snapshot = look == null ? null : look.snapshot();
        return look == null || snapshot == null ? null : new ServerFindings(situation.leases(), look, snapshot);
    }

    private void count(OpenLease lease, @Nullable ThreadSample seen) {
        boolean left = seen != null && seen.place().abandoned();
        suspected += lease.leakSuspected() ? 1 : 0;
        abandoned += left ? 1 : 0;
        leaked += left || lease.leakSuspected() ? 1 : 0;
        own += lease.threadId() == situation.threadId() ? 1 : 0;
        Activity activity = activity(lease, seen);
        inDatabase += activity == Activity.IN_DATABASE ? 1 : 0;
        idle += activity == Activity.IDLE ? 1 : 0;
        sampled += seen == null ? 0 : 1;
        waiting += seen != null && seen.place() == ThreadSample.Place.WAITS_FOR_CONNECTION ? 1 : 0;
    }

    /** What was measured, else what the stack shows. */
    static Activity activity(OpenLease lease, @Nullable ThreadSample seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        return seen.place() == ThreadSample.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    private Cause cause() {
        if (situation.failed().kind() == Kind.CONNECT_FAILED) {
            return situation.look() != null && serverFull(situation.failed())
                    ? Cause.SERVER_FULL
                    : Cause.CONNECT_FAILURE;
        }
        // Only some threads are looked at: of those, half.
        boolean left = abandoned > 0 && 2 * abandoned >= sampled;
        if ((left && longer) || (suspected > 0 && 2 * leaked >= open)) {
            return Cause.LEAK;
        }
        double idleness = idleness();
        boolean nested = sampled > 0
                ? waiting > 0 && 2 * waiting >= sampled
                : own > 0 && longer && (idleness < 0 || idleness > 0.5);
        if (nested) {
            return Cause.NESTED;
        }
        Cause blocked = blocked();
        if (blocked != null) {
            return blocked;
        }
        if (longer && server != null && 2 * server.busy > open) {
            return Cause.SERVER_BUSY;
        }
        if (longer) {
            return idleness < 0 ? Cause.HELD : idleness > 0.5 ? Cause.HELD_IDLE : Cause.SLOW_DATABASE;
        }
        boolean alwaysLong = situation.usual().usual().percentileNanos(0.5) >= LONG_NANOS;
        return alwaysLong && idleness >= MOST_OF_IT ? Cause.HELD_IDLE : Cause.DEMAND;
    }

    /**
     * The server's word on locks: if half of the open leases or more are in the chain of one session, and have been for
     * longer than a moment.
     */
    private @Nullable Cause blocked() {
        ServerFindings.Blocker blocker = server == null ? null : server.blocker;
        if (server == null
                || blocker == null
                || 2 * server.inChain() < open
                || !(longer || server.longestWait.toNanos() >= LONG_NANOS)) {
            return null;
        }
        if (blocker.session().schemaChange()) {
            return Cause.BLOCKED_BY_DDL;
        }
        return blocker.lease() == null ? Cause.BLOCKED_BY_OTHER : Cause.BLOCKED_BY_HOLDER;
    }

    /** Whether the server itself refused a connection because it has none left. */
    static boolean serverFull(FailedAttempt failed) {
        return failed.kind() == Kind.CONNECT_FAILED
                && (ExplanationWriter.OUT_OF_CONNECTIONS.equals(failed.why().sqlState())
                        || AcquisitionFailure.chain(failed.thrown()).stream().anyMatch(ServerView::outOfSessions));
    }

    /** By time where it is measured, else by heads, as the server knows them or the stacks; -1 if nothing is known. */
    private double idleness() {
        if (idleShare >= 0) {
            return idleShare;
        }
        if (server != null && server.known > 0 && 2 * server.known >= open) {
            return (double) server.idle / server.known;
        }
        return inDatabase + idle == 0 ? -1 : (double) idle / (inDatabase + idle);
    }
}
