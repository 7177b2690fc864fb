// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.CountConverter;
import io.flexpool.benchmarks.kit.NumberConverter;
import io.flexpool.benchmarks.kit.UpTo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How often each scenario runs, and on which database. Defaults depend on whether the small form is selected. */
final class SimulateOptions {
    @Option(
            names = "--seeds",
            converter = UpTo.AHundred.class,
            paramLabel = "N",
            description = "Runs of each scenario and controller, with as many seeds from --seed on. Default: 5, with"
                    + " --quick 1.")
    private @Nullable Integer seeds;

    @Option(
            names = "--sigma",
            converter = Sigma.class,
            defaultValue = "0.03",
            paramLabel = "X",
            description = "The database's contention in the Universal Scalability Law. Default: ${DEFAULT-VALUE}.")
    private double sigma;

    @Option(
            names = "--kappa",
            converter = Kappa.class,
            defaultValue = "0.006",
            paramLabel = "X",
            description = "The database's crosstalk in the Universal Scalability Law. Default: ${DEFAULT-VALUE}.")
    private double kappa;

    @Option(
            names = "--random-curves",
            converter = Curves.class,
            paramLabel = "N",
            description = "Databases drawn at random, with knees from 5 to 30 connections and seeds that nothing was"
                    + " tuned on; every controller meets each of them. Default: 20, with --quick 0.")
    private @Nullable Integer curves;

    @Option(
            names = "--random-scenarios",
            converter = Curves.class,
            paramLabel = "N",
            description =
                    "Scenarios of the new kinds drawn at random, each kind in its turn, with timeouts from 50 ms to"
                            + " 30 s, mixes, and numbers of instances of their own. Default: 24, with --quick 0.")
    private @Nullable Integer kinds;

    int kinds(boolean quick) {
        return kinds == null ? (quick ? 0 : 24) : kinds;
    }

    int seeds(boolean quick) {
        return seeds == null ? (quick ? 1 : 5) : seeds;
    }

    int curves(boolean quick) {
        return curves == null ? (quick ? 0 : 20) : curves;
    }

    Usl curve() {
        return new Usl(sigma, kappa, Usl.DEFAULT.serviceSeconds());
    }

    /** At 1 a second one in the database would add nothing. */
    static final class Sigma extends NumberConverter {
        Sigma() {
            super(0, 0.9);
        }
    }

    /** Without crosstalk there would be no knee; at the least one it is near 100 connections. */
    static final class Kappa extends NumberConverter {
        Kappa() {
            super(0.0001, 1);
        }
    }

    /** None, or up to a thousand. */
    static final class Curves extends CountConverter {
        Curves() {
            super(0, 1000);
        }
    }
}
