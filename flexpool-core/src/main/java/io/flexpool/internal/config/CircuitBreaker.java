// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Spares a database that is down, and the requests that would wait for it. After a number of connect failures in a row
 * the circuit opens. Every request is then rejected at once, with an exception of the pool's own class and SQLState
 * 08001. After a time one request may go to the pool (half open). If it gets a connection the circuit closes; if its
 * connect fails too, the circuit opens again for the same time.
 *
 * <p>Only connect failures count: exhaustion is no evidence about the database. An acquisition between two failures
 * resets the count. Immutable.
 */
public final class CircuitBreaker implements AcquisitionStrategy {
    /** Half a minute, HikariCP's acquisition timeout, is too long to refuse each request without trying. */
    private static final Duration LONGEST_DEFAULT = Duration.ofSeconds(5);

    private static final Duration SHORTEST_DEFAULT = Duration.ofMillis(1);

    private final int failures;
    /** Null for the acquisition timeout, at most {@link #LONGEST_DEFAULT}. */
    private final @Nullable Duration openFor;

    private CircuitBreaker(int failures, @Nullable Duration openFor) {
        this.failures = failures;
        this.openFor = openFor;
    }

    /**
     * Opens after this number of connect failures in a row, for the acquisition timeout, at most 5 s.
     *
     * @param failures 1 to 1,000
     */
    public static CircuitBreaker after(int failures) {
        return new CircuitBreaker(failures, null);
    }

    /**
     * Opens after this number of connect failures in a row.
     *
     * @param failures 1 to 1,000
     * @param openFor the time before one request may go to the pool: 1 ms to one hour
     */
    public static CircuitBreaker after(int failures, Duration openFor) {
        return new CircuitBreaker(failures, openFor);
    }

    @Override
    public String toString() {
        String time = openFor == null ? "the acquisition timeout (at most 5 s)" : openFor.toMillis() + " ms";
        return "opens for " + time + " after " + failures
                + " connect failures in a row; all requests are then rejected";
    }

    private static Duration usual(Duration timeout) {
        Duration atMost = timeout.compareTo(LONGEST_DEFAULT) < 0 ? timeout : LONGEST_DEFAULT;
        return atMost.compareTo(SHORTEST_DEFAULT) < 0 ? SHORTEST_DEFAULT : atMost;
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        return situation.failure() == Kind.CONNECT_FAILED && situation.connectFailures() >= failures
                ? Verdict.openCircuit(openFor == null ? usual(situation.timeout()) : openFor)
                : Verdict.PASS;
    }
}
