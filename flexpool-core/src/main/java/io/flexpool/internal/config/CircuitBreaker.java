// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;

/**
 * Spares a database that is down, and the requests that would wait for it. After so many connect failures in a row the
 * circuit opens: every request is rejected at once, with an exception of the pool's own class and SQLState 08001. When
 * the time is over one request is let through to the pool (half open). If it gets a connection the circuit closes; if
 * its connect fails too, it opens again for as long.
 *
 * <p>Only connect failures count: exhaustion says nothing of the database. An acquisition between two failures starts
 * the count again. Immutable.
 */
public final class CircuitBreaker implements AcquisitionStrategy {
    private final int failures;
    private final Duration openFor;

    private CircuitBreaker(int failures, Duration openFor) {
        this.failures = failures;
        this.openFor = openFor;
    }

    /**
     * Opens after so many connect failures in a row.
     *
     * @param failures how many: 1 to 1,000
     * @param openFor for how long, before one request is let through: 1 ms to one hour
     */
    public static CircuitBreaker after(int failures, Duration openFor) {
        return new CircuitBreaker(failures, openFor);
    }

    @Override
    public String toString() {
        return "turns all requests away for " + openFor.toMillis() + " ms after " + failures
                + " connect failures in a row";
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        return situation.failure() == Kind.CONNECT_FAILED && situation.connectFailures() >= failures
                ? Verdict.openCircuit(openFor)
                : Verdict.PASS;
    }
}
