// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Trace.Point;
import org.jspecify.annotations.Nullable;

/** What is counted over a whole run, and per second if the run is traced. */
final class Meter {
    private final double failureSeconds;
    private final Waits waits = new Waits();
    private final @Nullable Trace trace;
    private final Waits waitsOfSecond = new Waits();
    private int arrivalsOfSecond;
    private int failuresOfSecond;
    private int requests;
    private int failures;
    private int answered;
    private double sumSeconds;
    private double heldSeconds;
    private int changes;
    private int maxHeld;

    /**
     * Nothing counted.
     *
     * @param failureSeconds what a failed request counts in the mean end-to-end time
     */
    Meter(double failureSeconds, boolean traced) {
        this.failureSeconds = failureSeconds;
        this.trace = traced ? new Trace() : null;
    }

    void arrived() {
        requests++;
        arrivalsOfSecond++;
    }

    void acquired(double waited) {
        waits.add(waited);
        if (trace != null) {
            waitsOfSecond.add(waited);
        }
    }

    void answered(double seconds) {
        answered++;
        sumSeconds += seconds;
    }

    void failed() {
        failures++;
        failuresOfSecond++;
        answered(failureSeconds);
    }

    void held(int total, double seconds) {
        heldSeconds += total * seconds;
        maxHeld = Math.max(maxHeld, total);
    }

    /** Of all requests that were answered or failed, from arrival on. */
    double sumSeconds() {
        return sumSeconds;
    }

    void changed() {
        changes++;
    }

    void second(int second, int limit, int held, int pending) {
        if (trace == null) {
            return;
        }
        trace.add(new Point(second, arrivalsOfSecond, failuresOfSecond, limit, held, pending, waitsOfSecond.p99Ms()));
        waitsOfSecond.clear();
        arrivalsOfSecond = 0;
        failuresOfSecond = 0;
    }

    SimResult result(Scenario scenario, String controller, long seed) {
        return new SimResult(
                scenario.name(),
                controller,
                seed,
                requests,
                failures,
                waits.p99Ms(),
                heldSeconds / scenario.seconds(),
                sumSeconds / Math.max(1, answered),
                changes,
                maxHeld,
                trace);
    }
}
