// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.context.Insight;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.pool.PoolMode;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a failure. A fixed order of rules on figures alone: the same situation gives the same cause.
 * {@code cause()} has their order; docs/reference/explanations.md describes them for users.
 */
final class Diagnosis {
    static final int LONGER = 3;
    static final long LONG_NANOS = 100_000_000L;
    /** The error code of MySQL and MariaDB. Their SQLState is less specific. */
    private static final int MYSQL_FULL = 1040;

    private static final double MOST_OF_IT = 0.75;

    final Situation situation;
    final Cause cause;
    /** Whether connections are held for longer than usual. */
    final boolean longer;
    /** The number of open leases. */
    final int open;
    /** The median age of the leases; 0 without leases. */
    final long medianAgeNanos;
    /** Leases older than the leak threshold. */
    int suspected;
    /** Leases with an ended or idle thread, and without a running statement. */
    int abandoned;
    /** Suspected leases with a known activity. */
    int judged;
    /** Judged leases that have leaked. */
    int leaked;
    /** Judged leases without a statement for the threshold. */
    int quiet;
    /** Judged leases with a thread that has left the method that acquired the connection. */
    int left;
    /** Leases of the requesting thread. */
    int own;
    /** Leases inside a call, as measured or sampled. */
    int inDatabase;
    /** Leases outside a call, as measured or sampled. */
    int idle;
    /** Leases with a thread that waits for a connection. */
    int waiting;
    /** Leases with a thread that waits for a lock, while the owner of the lock waits for a connection. */
    int inverted;
    /** Leases with a sampled thread. */
    int sampled;
    /** Sampled leases that another thread uses. */
    int handedOn;
    /** A part's findings on the sessions of the leases; null without a query. */
    final @Nullable SessionFindings server;
    /** The share of lease time outside the database, over measured leases; -1 without any. */
    final double idleShare;

    /**
     * The data of a failed request: a diagnosis uses only this.
     *
     * @param threadId the thread of the request
     * @param leases the open leases, oldest first
     * @param samples the samples of some threads, by thread number
     * @param usual the usual lease times
     * @param grows whether a strategy grows the pool for waiting requests
     * @param decisions the last decisions of this mode, oldest first
     * @param query a part's query of the sessions at the failure; null without one
     * @param findings the parts' possible reasons of the failure; null without parts
     * @param leakNanos the age from which a lease is suspected to have leaked
     * @param cap the cap on the limit; null without a cap
     */
    record Situation(
            FailedAttempt failed,
            long threadId,
            List<OpenLease> leases,
            long readNanos,
            Map<Long, ThreadSample> samples,
            UsualLeases usual,
            PoolMode mode,
            boolean grows,
            List<Decision> decisions,
            SessionFindings.@Nullable Query query,
            Insight.@Nullable Findings findings,
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
            // The threads of the other leases were not sampled.
            count(lease, at < ThreadSample.MOST ? situation.samples().get(lease.threadId()) : null);
            Duration inDatabaseFor = lease.inDatabase();
            if (inDatabaseFor != null) {
                age += lease.age().toNanos();
                inCalls += Math.min(lease.age().toNanos(), inDatabaseFor.toNanos());
            }
        }
        this.idleShare = age <= 0 ? -1 : 1 - inCalls / age;
        this.server =
                situation.query() == null ? null : situation.query().with(situation.leases(), situation.readNanos());
        UsualLeases past = situation.usual();
        this.longer = open > 0
                && (past.known()
                        ? medianAgeNanos > LONGER * past.usualAgeNanos()
                        : medianAgeNanos >= situation.failed().waitedNanos());
        this.cause = cause();
    }

    private void count(OpenLease lease, @Nullable ThreadSample seen) {
        Activity activity = activity(lease, seen);
        SessionState session = lease.inServer();
        boolean runs = activity == Activity.IN_DATABASE || (session != null && session.works());
        abandoned += !runs && seen != null && seen.place().abandoned() ? 1 : 0;
        own += lease.threadId() == situation.threadId() ? 1 : 0;
        inDatabase += activity == Activity.IN_DATABASE ? 1 : 0;
        idle += activity == Activity.IDLE ? 1 : 0;
        sampled += seen == null ? 0 : 1;
        handedOn += seen != null && handedOn(lease, seen) ? 1 : 0;
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

    /** Whether the lease ran no statement for the threshold, as measured, or as its session shows. */
    private boolean noStatementForTheThreshold(OpenLease lease) {
        Duration idleFor = lease instanceof LeaseTracker.Open read ? read.idleFor() : null;
        SessionState session = lease.inServer();
        if (idleFor == null && session != null && session.idles()) {
            idleFor = session.inState();
        }
        return idleFor != null && idleFor.toNanos() >= situation.leakNanos();
    }

    /** The measured activity, otherwise the sampled one; in the database if another thread uses the connection. */
    static Activity activity(OpenLease lease, @Nullable ThreadSample seen) {
        if (lease.activity() != Activity.UNKNOWN || seen == null) {
            return lease.activity();
        }
        if (handedOn(lease, seen)) {
            return Activity.IN_DATABASE;
        }
        return seen.place() == ThreadSample.Place.IN_DATABASE ? Activity.IN_DATABASE : Activity.IDLE;
    }

    /** Whether the connection runs a statement while its thread is idle. */
    private static boolean handedOn(OpenLease lease, ThreadSample seen) {
        SessionState session = lease.inServer();
        return seen.place().abandoned() && session != null && session.works();
    }

    private Cause cause() {
        boolean opening = situation.failed().opening();
        if (situation.failed().kind() == Kind.CONNECT_FAILED && !opening) {
            return situation.query() != null && serverFull(situation.failed())
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
        Cause blocked = server == null ? null : server.blocked(longer);
        if (blocked != null) {
            return blocked;
        }
        return opening ? Cause.OPENING : held(idleness);
    }

    private Cause held(double idleness) {
        if (longer && server != null && 2 * server.busy() > open) {
            return Cause.SERVER_BUSY;
        }
        if (longer) {
            boolean silent = server != null && !server.answered();
            if (silent && idleness <= 0.5) {
                // Nothing more is known of calls: they may be slow, or wait for locks or for a lost server.
                return Cause.HELD;
            }
            return idleness < 0 ? Cause.HELD : idleness > 0.5 ? Cause.HELD_IDLE : Cause.SLOW_DATABASE;
        }
        boolean alwaysLong = situation.usual().usual().percentileNanos(0.5) >= LONG_NANOS;
        return alwaysLong && idleness >= MOST_OF_IT ? Cause.HELD_IDLE : Cause.DEMAND;
    }

    private boolean leak() {
        // Only some threads are sampled: half of them is enough.
        return (longer && abandoned > 0 && 2 * abandoned >= sampled)
                || (2 * suspected >= open && leaked > 0 && 2 * leaked >= judged);
    }

    /** Whether the server refused a connection because all, or all of this user or database, are in use. */
    static boolean serverFull(FailedAttempt failed) {
        return failed.kind() == Kind.CONNECT_FAILED
                && (ExplanationWriter.OUT_OF_CONNECTIONS.equals(failed.why().sqlState())
                        || AcquisitionFailure.chain(failed.thrown()).stream().anyMatch(Diagnosis::outOfSessions));
    }

    private static boolean outOfSessions(Throwable thrown) {
        return thrown instanceof SQLException sql
                && (ExplanationWriter.OUT_OF_CONNECTIONS.equals(sql.getSQLState()) || sql.getErrorCode() == MYSQL_FULL);
    }

    /** The idle share by time if measured, otherwise by leases, from the server or the stacks; -1 if unknown. */
    private double idleness() {
        if (idleShare >= 0) {
            return idleShare;
        }
        if (server != null && server.known() > 0 && 2 * server.known() >= open) {
            return (double) server.idle() / server.known();
        }
        return inDatabase + idle == 0 ? -1 : (double) idle / (inDatabase + idle);
    }
}
