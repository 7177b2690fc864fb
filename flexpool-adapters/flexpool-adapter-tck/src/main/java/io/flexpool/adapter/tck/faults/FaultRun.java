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
 * What a pool went through while a fault was on and off again.
 *
 * @param recovery from the end of the fault until every thread was served; empty if that took too long
 * @param longestWait the longest acquisition once the pool was warm, failed or not
 * @param failures acquisitions that failed once the pool was warm
 * @param failedBefore how many failed before
 * @param brokenInUse connections that broke while leased, by SQLState
 * @param peak the most connections open at once: as the proxy counted them, or the server at intervals
 * @param servedAt when each acquisition ended that gave a connection
 * @param hanging threads that never came back
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
    /** From one time to another, by {@link System#nanoTime()}; of no length if connects succeeded now and then. */
    record Outage(long beginNanos, long endNanos) {
        static final Outage NONE = new Outage(0, 0);
    }

    private static final String NO_STATE = "none";
    /** Until then connections that broke may still be out. */
    private static final long SETTLED_NANOS = 100_000_000;

    /** How many acquisitions gave a connection. */
    public long served() {
        return servedAt.size();
    }

    /** How many acquisitions failed with each SQLState, their own or that of a cause; none is one too. */
    Map<String, Integer> failuresByState() {
        Map<String, Integer> states = new TreeMap<>();
        for (FaultLoad.Failure failure : failures) {
            String state = stateInChain(failure.thrown());
            states.merge(state == null ? NO_STATE : state, 1, Integer::sum);
        }
        return states;
    }

    /** Whether an acquisition failed without anything that the driver had said. */
    boolean hasFailureWithoutState() {
        return failuresByState().containsKey(NO_STATE);
    }

    /** Whether an acquisition failed by an exception without an SQLState of its own, even if its cause has one. */
    boolean hasFailureWithoutStateOfItsOwn() {
        return failures.stream()
                .anyMatch(failure -> !(failure.thrown() instanceof SQLException sql) || sql.getSQLState() == null);
    }

    /** Whether acquisitions failed, and each of them after a longer wait than this. */
    boolean failsOnlyAfter(long waitedNanos) {
        return !failures.isEmpty() && failures.stream().allMatch(failure -> failure.waitedNanos() > waitedNanos);
    }

    static @Nullable String stateInChain(Throwable thrown) {
        return AcquisitionFailure.of(AcquisitionFailure.Kind.OTHER, thrown).sqlState();
    }

    /** Whether an acquisition began and ended during the outage: it did not wait for a return. */
    boolean whileNobodyCouldConnect(FaultLoad.Failure failure) {
        long afterTheBeginning = failure.requestedNanos() - outage.beginNanos();
        long beforeTheEnd = outage.endNanos() - (failure.requestedNanos() + failure.waitedNanos());
        return !outage.equals(Outage.NONE) && afterTheBeginning > SETTLED_NANOS && beforeTheEnd > 0;
    }

    /** What flexpool says of a failure: in the exception itself if it is flexpool's, else in a suppressed one. */
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

    /** Whether it is the pool's own object, and not one that was made in front of the pool. */
    static boolean madeByThePool(Throwable thrown) {
        return !String.valueOf(thrown.getMessage()).contains(": no connection after ");
    }
}
