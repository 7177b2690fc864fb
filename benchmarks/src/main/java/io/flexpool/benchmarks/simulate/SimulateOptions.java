// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.report.ScenarioOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How often each scenario runs, and on which database. Defaults depend on whether the small form is selected. */
final class SimulateOptions {
    @Range(max = 100)
    @Option(
            names = "--seeds",
            description = "Runs of each scenario and controller, with as many seeds from --seed on. Default: 5, with"
                    + " --quick 1.")
    private @Nullable Integer seeds;

    @Range(min = 0, max = 0.9)
    @Option(
            names = "--sigma",
            defaultValue = "0.03",
            description = "The database's contention in the Universal Scalability Law.")
    private double sigma;

    @Range(min = 0.0001, max = 1)
    @Option(
            names = "--kappa",
            defaultValue = "0.006",
            description = "The database's crosstalk in the Universal Scalability Law.")
    private double kappa;

    @Range(min = 0, max = 1_000)
    @Option(
            names = "--random-curves",
            description = "Databases drawn at random, with knees from 5 to 30 connections and seeds that nothing was"
                    + " tuned on; every controller meets each of them. Default: 20, with --quick 0.")
    private @Nullable Integer curves;

    @Range(min = 0, max = 1_000)
    @Option(
            names = "--random-scenarios",
            description = "Scenarios of the new kinds drawn at random, each kind in its turn, with timeouts from 50"
                    + " ms to 30 s, mixes, and numbers of instances of their own. Default: 24, with --quick 0.")
    private @Nullable Integer kinds;

    int kinds(ScenarioOptions common) {
        return common.value(kinds, 24, 0);
    }

    int seeds(ScenarioOptions common) {
        return common.value(seeds, 5, 1);
    }

    int curves(ScenarioOptions common) {
        return common.value(curves, 20, 0);
    }

    Usl curve() {
        return new Usl(sigma, kappa, Usl.DEFAULT.serviceSeconds());
    }
}
