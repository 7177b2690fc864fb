// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.record.UsualLeases;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a failure comes down to. A fixed order of rules on figures alone: the same situation gives the same cause.
 *
 * <ol>
 *   <li>The failure was found to be one of connecting: {@code CONNECT_FAILURE}.
 *   <li>Half of the open leases or more are suspected leaks; or they are held for longer than usual, and the
 *       threads of half of those looked at or more have ended or wait for other work: {@code LEAK}.
 *   <li>Half of the sampled holders or more wait for a connection themselves; if none was sampled: the asker holds
 *       one, connections are held for longer than usual, and not in the database as far as is known: {@code NESTED}.
 *   <li>Connections are held for longer than usual, that is their median age is higher than
 *       {@value #LONGER} times the age that the leases before let expect; without a past, for longer than the request
 *       waited. Then by the share of their time in the database where that is measured, else by what the oldest holders'
 *       threads did: {@code SLOW_DATABASE}, {@code HELD_IDLE}, or {@code HELD} if nothing is known.
 *   <li>They are held as long as usual, but that is {@value #LONG_NANOS} ns or more and at least
 *       three quarters of it not in the database: {@code HELD_IDLE}.
 *   <li>Else {@code DEMAND}.
 * </ol>
 *
 * @param situation what it was made of
 * @param cause what it comes down to
 * @param held how open leases are spread
 * @param longer whether connections are held for longer than usual
 */
record Diagnosis(FailureSnapshot situation, Cause cause, Held held, boolean longer) {
    static final int LONGER = 3;
    static final long LONG_NANOS = 100_000_000L;
    private static final double MOST_OF_IT = 0.75;

    /** How the open leases are spread. */
    static final class Held {
        /** All. */
        final int open;
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
        /** The share of the time not spent in the database, of those where it is measured; -1 if of none. */
        final double idleShare;

        Held(FailureSnapshot situation) {
            open = situation.leases().size();
            double age = 0;
            double inCalls = 0;
            for (int at = 0; at < open; at++) {
                OpenLease lease = situation.leases().get(at);
                // The threads of the others were not sampled.
                count(situation, lease, at < ThreadSampler.MOST ? situation.seen(lease) : null);
                Duration inDatabaseFor = lease.inDatabase();
                if (inDatabaseFor != null) {
                    age += lease.age().toNanos();
                    inCalls += Math.min(lease.age().toNanos(), inDatabaseFor.toNanos());
                }
            }
            idleShare = age <= 0 ? -1 : 1 - inCalls / age;
        }

        private void count(FailureSnapshot situation, OpenLease lease, @Nullable ThreadSample seen) {
            boolean left = seen != null && seen.place().abandoned();
            suspected += lease.leakSuspected() ? 1 : 0;
            abandoned += left ? 1 : 0;
            leaked += left || lease.leakSuspected() ? 1 : 0;
            own += lease.threadId() == situation.threadId() ? 1 : 0;
            Activity activity = FailureSnapshot.activity(lease, seen);
            inDatabase += activity == Activity.IN_DATABASE ? 1 : 0;
            idle += activity == Activity.IDLE ? 1 : 0;
            sampled += seen == null ? 0 : 1;
            waiting += seen != null && seen.place() == ThreadSample.Place.WAITS_FOR_CONNECTION ? 1 : 0;
        }

        /** By time where it is measured, else by heads; -1 if nothing is known. */
        double idleness() {
            if (idleShare >= 0) {
                return idleShare;
            }
            return inDatabase + idle == 0 ? -1 : (double) idle / (inDatabase + idle);
        }
    }

    static Diagnosis of(FailureSnapshot situation) {
        Held held = new Held(situation);
        boolean longer = heldLonger(situation);
        return new Diagnosis(situation, cause(situation, held, longer), held, longer);
    }

    private static Cause cause(FailureSnapshot situation, Held held, boolean longer) {
        if (situation.failed().kind() == Kind.CONNECT_FAILED) {
            return Cause.CONNECT_FAILURE;
        }
        // Only some threads are looked at: of those, half.
        boolean abandoned = held.abandoned > 0 && 2 * held.abandoned >= held.sampled;
        if ((abandoned && longer) || (held.suspected > 0 && 2 * held.leaked >= held.open)) {
            return Cause.LEAK;
        }
        if (nested(held, longer)) {
            return Cause.NESTED;
        }
        double idleness = held.idleness();
        if (longer) {
            return idleness < 0 ? Cause.HELD : idleness > 0.5 ? Cause.HELD_IDLE : Cause.SLOW_DATABASE;
        }
        boolean alwaysLong = situation.usual().usual().percentileNanos(0.5) >= LONG_NANOS;
        return alwaysLong && idleness >= MOST_OF_IT ? Cause.HELD_IDLE : Cause.DEMAND;
    }

    private static boolean nested(Held held, boolean longer) {
        if (held.sampled > 0) {
            return held.waiting > 0 && 2 * held.waiting >= held.sampled;
        }
        double idleness = held.idleness();
        return held.own > 0 && longer && (idleness < 0 || idleness > 0.5);
    }

    private static boolean heldLonger(FailureSnapshot situation) {
        if (situation.leases().isEmpty()) {
            return false;
        }
        UsualLeases past = situation.usual();
        long age = situation.medianAgeNanos();
        return past.known()
                ? age > LONGER * past.usualAgeNanos()
                : age >= situation.failed().waitedNanos();
    }
}
