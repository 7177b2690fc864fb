// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A request of the load. Arrivals do not wait for answers.
 *
 * @param second when it arrives, from the start of the load
 * @param workSeconds what it takes alone in the usual database
 */
record Request(double second, double workSeconds) {
    /** The lognormal law whose standard deviation is its mean. */
    private static final double LOG_VARIANCE = Math.log(2);

    /**
     * All requests of a scenario in the order of their arrival: Poisson in each phase, and the bursts.
     *
     * @param seed the same requests for the same seed
     */
    static List<Request> of(Scenario scenario, long seed) {
        SplittableRandom root = new SplittableRandom(seed);
        SplittableRandom gaps = root.split();
        SplittableRandom works = root.split();
        SplittableRandom kinds = root.split();
        List<Double> seconds = new ArrayList<>();
        for (int at = 0; at < scenario.phases().size(); at++) {
            Phase phase = scenario.phases().get(at);
            double end = at + 1 < scenario.phases().size()
                    ? scenario.phases().get(at + 1).fromSecond()
                    : scenario.seconds();
            double next = phase.fromSecond() + gap(gaps, phase);
            while (next < end) {
                seconds.add(next);
                next += gap(gaps, phase);
            }
        }
        for (Burst burst : scenario.bursts()) {
            for (int n = 0; n < burst.requests(); n++) {
                seconds.add(burst.second());
            }
        }
        seconds.sort(Comparator.naturalOrder());
        double mean = scenario.curve().serviceSeconds();
        return seconds.stream()
                .map(second -> new Request(second, mean * lognormal(works) * factor(scenario.mix(), kinds)))
                .toList();
    }

    private static double factor(Mix mix, SplittableRandom kinds) {
        return kinds.nextDouble() < mix.longShare() ? mix.longFactor() : mix.shortFactor();
    }

    private static double gap(SplittableRandom random, Phase phase) {
        return -Math.log(1 - random.nextDouble()) / phase.rate();
    }

    private static double lognormal(SplittableRandom random) {
        return Math.exp(random.nextGaussian() * Math.sqrt(LOG_VARIANCE) - LOG_VARIANCE / 2);
    }
}
