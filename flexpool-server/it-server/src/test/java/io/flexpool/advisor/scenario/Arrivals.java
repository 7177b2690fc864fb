// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import java.util.Arrays;
import java.util.SplittableRandom;

/** How requests come. Each has the same number of them on average. */
enum Arrivals {
    /** Independent of each other. */
    POISSON {
        @Override
        double[] seconds(SplittableRandom random, double rate, double span) {
            return thinned(random, rate, span, 1, at -> 1);
        }
    },
    /** Two states of some seconds: busy, with four times as many as quiet ones. */
    MMPP {
        private static final double BUSY_SECONDS = 4;
        private static final double QUIET_SECONDS = 12;

        @Override
        double[] seconds(SplittableRandom random, double rate, double span) {
            double mean = (4 * BUSY_SECONDS + QUIET_SECONDS) / (BUSY_SECONDS + QUIET_SECONDS);
            double[] ends = new double[2 + (int) span];
            boolean[] busy = new boolean[ends.length];
            double end = 0;
            for (int at = 0; at < ends.length; at++) {
                busy[at] = at % 2 == 0;
                end += exponential(random) * (busy[at] ? BUSY_SECONDS : QUIET_SECONDS);
                ends[at] = end;
            }
            return thinned(random, rate, span, 4 / mean, at -> {
                int state = Arrays.binarySearch(ends, at);
                int now = Math.min(busy.length - 1, state < 0 ? -state - 1 : state);
                return (busy[now] ? 4 : 1) / mean;
            });
        }
    },
    /** A wave over the whole span: its peak is twice its mean. */
    DIURNAL {
        @Override
        double[] seconds(SplittableRandom random, double rate, double span) {
            return thinned(random, rate, span, 2, at -> 1 - Math.cos(2 * Math.PI * at / span));
        }
    },
    /** Several at once, five on average. */
    BATCHES {
        private static final double MEAN = 5;

        @Override
        double[] seconds(SplittableRandom random, double rate, double span) {
            double[] batches = POISSON.seconds(random, rate / MEAN, span);
            double[] all = new double[(int) (2 * rate * span) + 1_000];
            int count = 0;
            for (double batch : batches) {
                int more = 1 + (int) (Math.log(1 - random.nextDouble()) / Math.log(1 - 1 / MEAN));
                for (int each = 0; each < more && count < all.length; each++) {
                    all[count++] = batch;
                }
            }
            return Arrays.copyOf(all, count);
        }
    },
    /** Twenty sources that are on and off for times without a typical length (Pareto, 1.5): bursts on all time scales. */
    SELF_SIMILAR {
        private static final int SOURCES = 20;
        private static final double ALPHA = 1.5;
        private static final double SHORTEST = 0.5;

        @Override
        double[] seconds(SplittableRandom random, double rate, double span) {
            double[] all = new double[0];
            for (int source = 0; source < SOURCES; source++) {
                double at = -random.nextDouble() * 10;
                boolean on = random.nextBoolean();
                while (at < span) {
                    double length = SHORTEST * Math.pow(1 - random.nextDouble(), -1 / ALPHA);
                    if (on && at + length > 0) {
                        double from = Math.max(0, at);
                        double[] burst =
                                POISSON.seconds(random, 2 * rate / SOURCES, Math.min(span, at + length) - from);
                        int before = all.length;
                        all = Arrays.copyOf(all, before + burst.length);
                        for (int each = 0; each < burst.length; each++) {
                            all[before + each] = from + burst[each];
                        }
                    }
                    at += length;
                    on = !on;
                }
            }
            Arrays.sort(all);
            return all;
        }
    };

    /** A rate as a multiple of the mean, at a time. */
    @FunctionalInterface
    private interface Wave {
        double at(double seconds);
    }

    /**
     * When requests come, ascending.
     *
     * @param rate how many a second on average
     * @param span seconds
     */
    abstract double[] seconds(SplittableRandom random, double rate, double span);

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    /** A Poisson process of a varying rate, from one of the highest rate of which some are left out. */
    private static double[] thinned(SplittableRandom random, double rate, double span, double highest, Wave wave) {
        double[] all = new double[1_024];
        int count = 0;
        double at = exponential(random) / (rate * highest);
        while (at < span) {
            if (random.nextDouble() * highest < wave.at(at)) {
                if (count == all.length) {
                    all = Arrays.copyOf(all, 2 * count);
                }
                all[count++] = at;
            }
            at += exponential(random) / (rate * highest);
        }
        return Arrays.copyOf(all, count);
    }
}
