// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import java.util.SplittableRandom;

/** How long leases are. Each law has the mean 1. */
enum LeaseLaw {
    /** Without memory. */
    EXPONENTIAL {
        @Override
        double draw(SplittableRandom random) {
            return -Math.log(1 - random.nextDouble());
        }
    },
    /** Its standard deviation is 1.3 times its mean. */
    LOGNORMAL {
        private static final double SIGMA = 1;

        @Override
        double draw(SplittableRandom random) {
            return Math.exp(SIGMA * random.nextGaussian() - SIGMA * SIGMA / 2);
        }
    },
    /** 95 of 100 are short, the others twenty times as long. */
    BIMODAL {
        private static final double SHORT = 1 / (0.95 + 0.05 * 20);

        @Override
        double draw(SplittableRandom random) {
            return random.nextDouble() < 0.95 ? SHORT : 20 * SHORT;
        }
    },
    /** Pareto with exponent 2.2: once in a while one that takes much longer than all before. */
    PARETO {
        private static final double ALPHA = 2.2;

        @Override
        double draw(SplittableRandom random) {
            return (ALPHA - 1) / ALPHA * Math.pow(1 - random.nextDouble(), -1 / ALPHA);
        }
    };

    abstract double draw(SplittableRandom random);
}
