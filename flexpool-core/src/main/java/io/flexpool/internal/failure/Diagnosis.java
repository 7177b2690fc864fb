// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.internal.server.ServerLook;
import io.flexpool.internal.server.ServerView;
import io.flexpool.pool.PoolMode;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
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
 *       looked at, else {@code CONNECT_FAILURE}; but not if no refusal is known, connections are in use, and the pool has
 *       fewer open than it may have.
 *   <li>Half of the open leases or more are older than the leak threshold, and half of those of which something is known
 *       or more have leaked: their threads have ended, do other work, or have run no statement for the threshold. Or
 *       they are held for longer than usual, and the threads of half of those looked at or more have ended or wait for other
 *       work: {@code LEAK}. A lease with a statement that runs has not leaked.
 *   <li>Half of the sampled holders or more wait for a lock whose owner waits for a connection: {@code LOCK_INVERSION}.
 *   <li>Half of the sampled holders or more wait for a connection themselves; if none was sampled: the asker holds
 *       one, connections are held for longer than usual, and not in the database as far as is known: {@code NESTED}.
 *   <li>Half of the open leases or more wait for locks in the server, or are the one that the others wait for, and are held for
 *       longer than usual, or one of them waits there for {@value #LONG_NANOS} ns or more, or at least {@value #SOME} wait: {@code
 *       BLOCKED_BY_DDL} if they wait behind a change of the schema, {@code BLOCKED_BY_HOLDER} or {@code BLOCKED_BY_OTHER} by
 *       the head of the chain, {@code BLOCKED_BY_HOLDER} also if the lock passes from one lease to the next, else
 *       {@code BLOCKED}.
 *   <li>The pool has fewer connections open than it may have, and no refusal is known: {@code OPENING}.
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
    /** So many leases that wait for locks at one moment are no chance. */
    static final int SOME = 3;

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
    /** Those whose thread has ended or has nothing to do, and that run no statement. */
    int abandoned;
    /** The suspected ones of which something is known. */
    int judged;
    /** Those of them that have leaked. */
    int leaked;
    /** Those of them that run no statement, and have run none for the threshold. */
    int quiet;
    /** Those of them whose thread has left the method that acquired the connection. */
    int left;
    /** Those of the thread that made the request. */
    int own;
    /** Those inside a call, as measured or sampled. */
    int inDatabase;
    /** Those that are not, as measured or sampled. */
    int idle;
    /** Those whose thread waits for a connection. */
    int waiting;
    /** Those whose thread waits for a lock, and the owner of the lock for a connection. */
    int inverted;
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
     * @param leakNanos the age from which on a lease is suspected to have leaked
     * @param cap what caps the limit here; null if nothing does
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
            @Nullable ServerLook look,
            long leakNanos,
            Limits.@Nullable Cap cap) {}

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
        return look == null || snapshot == null
                ? null
                : new ServerFindings(
                        situation.leases(), look, snapshot, situation.failed().failedNanos());
    }

    private void count(OpenLease lease, @Nullable ThreadSample seen) {
        Activity activity = activity(lease, seen);
        ServerSession session = lease.inServer();
        boolean runs = activity == Activity.IN_DATABASE || (session != null && works(session));
        abandoned += !runs && seen != null && seen.place().abandoned() ? 1 : 0;
        own += lease.threadId() == situation.threadId() ? 1 : 0;
        inDatabase += activity == Activity.IN_DATABASE ? 1 : 0;
        idle += activity == Activity.IDLE ? 1 : 0;
        sampled += seen == null ? 0 : 1;
        waiting += seen != null && seen.place() == ThreadSample.Place.WAITS_FOR_CONNECTION ? 1 : 0;
        inverted += seen != null && seen.inverted() ? 1 : 0;
        if (lease.leakSuspected()) {
            suspected++;
            boolean noStatement = !runs && noStatementForTheThreshold(lease);
            boolean gone = !runs && seen != null && seen.place().abandoned();
            boolean hasLeft = !runs && !gone && seen != null && seen.hasLeft(lease.callSite());
            judged += runs || noStatement || seen != null ? 1 : 0;
            leaked += noStatement || gone || hasLeft ? 1 : 0;
            quiet += noStatement ? 1 : 0;
            left += hasLeft ? 1 : 0;
        }
    }

    /** As measured, or as the server says of its session. */
    private boolean noStatementForTheThreshold(OpenLease lease) {
        Duration idleFor = lease instanceof LeaseTracker.Open read ? read.idleFor() : null;
        ServerSession session = lease.inServer();
        State state = state(lease);
        if (idleFor == null && session != null && (state == State.IDLE || state == State.IDLE_IN_TRANSACTION)) {
            idleFor = session.inState();
        }
        return idleFor != null && idleFor.toNanos() >= situation.leakNanos();
    }

    /** Whether a statement runs, and does not wait for the application to read rows or to send data. */
    static boolean works(ServerSession session) {
        return session.state() == State.RUNNING && session.waitsFor() != Wait.CLIENT;
    }

    private static @Nullable State state(OpenLease lease) {
        ServerSession session = lease.inServer();
        return session == null ? null : session.state();
    }

    /** What was measured, else what the stack shows. */
    static Activity activity(OpenLease lease, @Nullable ThreadSample seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        return seen.place() == ThreadSample.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    private Cause cause() {
        boolean opening = situation.failed().opening();
        if (situation.failed().kind() == Kind.CONNECT_FAILED && !opening) {
            return situation.look() != null && serverFull(situation.failed())
                    ? Cause.SERVER_FULL
                    : Cause.CONNECT_FAILURE;
        }
        if (leak()) {
            return Cause.LEAK;
        }
        if (inverted > 0 && 2 * inverted >= sampled) {
            return Cause.LOCK_INVERSION;
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
        return opening ? Cause.OPENING : held(idleness);
    }

    private Cause held(double idleness) {
        if (longer && server != null && 2 * server.busy > open) {
            return Cause.SERVER_BUSY;
        }
        if (longer) {
            boolean silent = situation.look() != null && server == null;
            if (silent && idleness <= 0.5) {
                // Inside calls, that is all: they may be slow, wait for locks, or for a server that is gone.
                return Cause.HELD;
            }
            return idleness < 0 ? Cause.HELD : idleness > 0.5 ? Cause.HELD_IDLE : Cause.SLOW_DATABASE;
        }
        boolean alwaysLong = situation.usual().usual().percentileNanos(0.5) >= LONG_NANOS;
        return alwaysLong && idleness >= MOST_OF_IT ? Cause.HELD_IDLE : Cause.DEMAND;
    }

    private boolean leak() {
        // Only some threads are looked at: of those, half.
        return (longer && abandoned > 0 && 2 * abandoned >= sampled)
                || (2 * suspected >= open && leaked > 0 && 2 * leaked >= judged);
    }

    /**
     * The server's word on locks: if half of the leases or more wait for them, and have for longer than a moment. Who has the lock
     * may be unknown, or have changed since the look.
     */
    private @Nullable Cause blocked() {
        if (server == null
                || !server.lockedUp(open)
                || !(longer || server.longestWait.toNanos() >= LONG_NANOS || server.waiting >= SOME)) {
            return null;
        }
        ServerFindings.Blocker blocker = server.blocker;
        if (blocker == null || !server.named()) {
            return server.passesOn() ? Cause.BLOCKED_BY_HOLDER : Cause.BLOCKED;
        }
        if (blocker.session().schemaChange()) {
            return Cause.BLOCKED_BY_DDL;
        }
        if (blocker.lease() == null) {
            return Cause.BLOCKED_BY_OTHER;
        }
        return Boolean.TRUE.equals(blocker.byLease()) ? Cause.BLOCKED_BY_HOLDER : Cause.BLOCKED;
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
