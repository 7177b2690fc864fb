// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.adapter.AcquisitionFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The observations of one trial: a pool before, during and after a fault.
 *
 * @param recovery the time from the end of the fault until every thread was served; empty if that took too long
 * @param longestWait the longest acquisition since the warm-up, failed or not
 * @param failures the failed acquisitions since the warm-up
 * @param failedBefore the number of failed acquisitions before
 * @param brokenInUse the number of connections that broke during a lease, by SQLState
 * @param peak the most connections open at once, counted by the proxy, or by the server at intervals
 * @param servedAt the time of each successful acquisition
 * @param hanging the number of threads that did not end
 * @param outage the time without successful connects
 */
public record FaultRun(
        Optional<Duration> recovery,
        Duration longestWait,
        List<FaultLoad.Failure> failures,
        int failedBefore,
        Map<String, Integer> brokenInUse,
        int peak,
        List<Instant> servedAt,
        long hanging,
        Outage outage) {
    /** The begin and the end by {@link System#nanoTime()}; without length if connects succeeded in between. */
    record Outage(long beginNanos, long endNanos) {
        static final Outage NONE = new Outage(0, 0);
    }

    private static final String NO_STATE = "none";
    /** The time after the begin for which broken connections may still be leased. */
    private static final long SETTLED_NANOS = 100_000_000;

    /** The number of successful acquisitions. */
    public long served() {
        return servedAt.size();
    }

    /**
     * The number of failed acquisitions by SQLState, of the exception or a cause; failures without SQLState have their
     * own key.
     */
    Map<String, Integer> failuresByState() {
        Map<String, Integer> states = new TreeMap<>();
        for (FaultLoad.Failure failure : failures) {
            String state = stateInChain(failure.thrown());
            states.merge(state == null ? NO_STATE : state, 1, Integer::sum);
        }
        return states;
    }

    /** Whether an acquisition failed without any SQLState of the driver. */
    boolean hasFailureWithoutState() {
        return failuresByState().containsKey(NO_STATE);
    }

    /** Whether an acquisition failed with an exception without SQLState, even if its cause has one. */
    boolean hasFailureWithoutStateOfItsOwn() {
        return failures.stream()
                .anyMatch(failure -> !(failure.thrown() instanceof SQLException sql) || sql.getSQLState() == null);
    }

    /** Whether acquisitions failed, and all of them after a longer wait than this. */
    boolean failsOnlyAfter(long waitedNanos) {
        return !failures.isEmpty() && failures.stream().allMatch(failure -> failure.waitedNanos() > waitedNanos);
    }

    static @Nullable String stateInChain(Throwable thrown) {
        return AcquisitionFailure.of(AcquisitionFailure.Kind.OTHER, thrown).sqlState();
    }

    /** Whether an acquisition began and ended during the outage, so that it did not wait for a return. */
    boolean whileNobodyCouldConnect(FaultLoad.Failure failure) {
        long afterTheBeginning = failure.requestedNanos() - outage.beginNanos();
        long beforeTheEnd = outage.endNanos() - (failure.requestedNanos() + failure.waitedNanos());
        return !outage.equals(Outage.NONE) && afterTheBeginning > SETTLED_NANOS && beforeTheEnd > 0;
    }

    /**
     * flexpool's report on a failure: in the exception itself if flexpool created it, otherwise in a suppressed one.
     */
    static String report(Throwable thrown) {
        if (!madeByThePool(thrown)) {
            return String.valueOf(thrown.getMessage());
        }
        StringBuilder all = new StringBuilder();
        for (Throwable suppressed : thrown.getSuppressed()) {
            all.append(suppressed.getMessage()).append('\n');
        }
        return all.toString();
    }

    /** Whether the pool created the exception, not flexpool. */
    static boolean madeByThePool(Throwable thrown) {
        return !String.valueOf(thrown.getMessage()).contains(": no connection after ");
    }
}
