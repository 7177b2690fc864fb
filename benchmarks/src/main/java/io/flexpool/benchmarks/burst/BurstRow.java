// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.Spread;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pool in one variant. Latencies are those of requests that were served, from the intended arrival to the end of the
 * hold. Figures are null, and lists empty, where nothing was measured; the note says why.
 *
 * @param pool the pool
 * @param variant what stood around it
 * @param failuresPerBurst how many of each burst failed
 * @param steadyFailures how many of the steady requests failed
 * @param p99LatencyMs what 99 of 100 served requests did not exceed (nearest rank), steady ones included, milliseconds
 * @param worstPerBurstMs the worst of all that arrived with a burst or after it and before the next, milliseconds; 0 if
 *     none was served
 * @param maxLatencyMs the worst of all, milliseconds
 * @param meanHeld the time-weighted mean of physical connections, from the first burst to one period after the last
 * @param maxPhysical the most physical connections that were open at once, since the pool was made
 * @param latestStartMs how late the latest request was started by the program itself, milliseconds: noise of the machine
 * @param note why there are no figures, or the first failure; null if there is nothing to say
 */
public record BurstRow(
        String pool,
        String variant,
        List<Integer> failuresPerBurst,
        @Nullable Integer steadyFailures,
        @Nullable Double p99LatencyMs,
        List<Double> worstPerBurstMs,
        @Nullable Double maxLatencyMs,
        @Nullable Double meanHeld,
        @Nullable Integer maxPhysical,
        @Nullable Double latestStartMs,
        @Nullable String note) {
    static BurstRow missing(BurstPool pool, Variant variant, String why) {
        return new BurstRow(
                pool.toString(), variant.toString(), List.of(), null, null, List.of(), null, null, null, null, why);
    }

    static BurstRow of(
            BurstPool pool, Variant variant, int bursts, OpenLoop.Result result, double meanHeld, int maxPhysical) {
        Integer[] failures = new Integer[bursts];
        Arrays.fill(failures, 0);
        Double[] worst = new Double[bursts];
        Arrays.fill(worst, 0.0);
        int steadyFailures = 0;
        for (OpenLoop.Answer answer : result.answers()) {
            int window = answer.arrival().window();
            if (answer.served()) {
                if (window >= 0) {
                    worst[window] = Math.max(worst[window], answer.latencyMs());
                }
            } else if (answer.arrival().ofBurst()) {
                failures[window]++;
            } else {
                steadyFailures++;
            }
        }
        double[] served = result.answers().stream()
                .filter(OpenLoop.Answer::served)
                .mapToDouble(OpenLoop.Answer::latencyMs)
                .sorted()
                .toArray();
        return new BurstRow(
                pool.toString(),
                variant.toString(),
                List.of(failures),
                steadyFailures,
                served.length == 0 ? null : served[(int) Math.ceil(0.99 * served.length) - 1],
                List.of(worst),
                served.length == 0 ? null : served[served.length - 1],
                meanHeld,
                maxPhysical,
                result.latestStartMs(),
                result.firstFailure());
    }

    /** Whether there are figures. */
    boolean isMeasured() {
        return steadyFailures != null;
    }

    /** All failures; NaN where nothing was measured. */
    double failures() {
        return steadyFailures == null
                ? Double.NaN
                : failuresPerBurst.stream().mapToInt(Integer::intValue).sum() + steadyFailures;
    }

    /** The median of the bursts' worst; NaN where nothing was measured. */
    double medianWorstMs() {
        return Spread.of(worstPerBurstMs).median();
    }
}
