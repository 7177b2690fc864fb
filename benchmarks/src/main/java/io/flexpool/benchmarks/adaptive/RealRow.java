// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One competitor in one run of a scenario.
 *
 * @param scenario the scenario's name
 * @param competitor the competitor's name
 * @param run from 1
 * @param requests all that arrived
 * @param failures requests that got no connection in time, or lost it
 * @param p99AcquireMs 99th percentile of the time until a request had its connection or had failed, milliseconds
 * @param p99Ms the same until the end of its lease, milliseconds
 * @param meanMs the mean time until the end of the lease, a failure counting 5 s, milliseconds
 * @param regret that over the mean of the best static size in the same run, minus 1
 * @param meanHeld physical connections, mean over time
 * @param maxHeld the most of them that were seen at once
 * @param changes how often the limit was seen to have moved
 * @param firstFailure in words; null if there was none
 * @param decisions of flexpool's controller
 */
public record RealRow(
        String scenario,
        String competitor,
        int run,
        int requests,
        int failures,
        double p99AcquireMs,
        double p99Ms,
        double meanMs,
        double regret,
        double meanHeld,
        int maxHeld,
        int changes,
        @Nullable String firstFailure,
        List<Course.Step> decisions) {
    private static final double MS = 1e3;

    static RealRow of(Heat heat, Course course, double bestMeanSeconds) {
        return new RealRow(
                heat.scenario().toString(),
                course.competitor().toString(),
                heat.run(),
                course.requests().size(),
                course.failures(),
                course.p99AcquireMs(),
                course.p99Ms(),
                course.meanSeconds() * MS,
                course.meanSeconds() / bestMeanSeconds - 1,
                course.meanHeld(),
                course.maxHeld(),
                course.changes(),
                course.firstFailure(),
                course.steps());
    }
}
