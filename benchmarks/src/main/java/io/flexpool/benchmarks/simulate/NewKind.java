// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kinds of the new scenarios, each of which can be drawn at random: any timeout, mix, load and number of instances. */
enum NewKind {
    /** Requests that wait for less than half a second, and leases that become longer. */
    SHORT_TIMEOUT {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            double service = curve.serviceSeconds();
            double lease = chance.between(0.1, 0.3);
            double rate = chance.between(3, 10) / lease;
            double later = Math.min(lease * chance.between(2, 4), MOST_BUSY / rate);
            return scenario(
                            curve,
                            SECONDS,
                            List.of(),
                            new Phase(0, rate, 1, lease / service - 1, 0, true),
                            new Phase(MINUTE, rate, 1, later / service - 1, 0, true))
                    .withTimeout(chance.evenly(0.05, 0.5));
        }
    },
    /** Leases of about the acquisition timeout. */
    LONG_LEASES {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            double timeout = chance.evenly(0.3, 3);
            double lease = timeout * chance.between(0.5, 1.2);
            double rate = chance.between(2, 5) / lease;
            double more = chance.between(8, MOST_BUSY) / lease;
            return scenario(
                            curve,
                            SECONDS,
                            List.of(),
                            new Phase(0, rate, 1, 0, lease, true),
                            new Phase(MINUTE, more, 1, 0, lease, true),
                            new Phase(2 * MINUTE, rate, 1, 0, lease, true))
                    .withTimeout(timeout);
        }
    },
    /** Jobs that each keep a connection for long, beside ordinary work. */
    NIGHT_BATCH {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            Burst jobs = new Burst(MINUTE, (int) chance.between(4, 15), chance.between(10, 40));
            return scenario(curve, SECONDS, List.of(jobs), Phase.load(0, curve.peakRate() * chance.between(0.1, 0.3)))
                    .withTimeout(chance.evenly(0.05, LONGEST_TIMEOUT));
        }
    },
    /** Few long requests among many short ones. */
    MIXED_WORK {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            double share = chance.evenly(0.002, 0.03);
            double brief = chance.evenly(0.001, 0.010);
            double lasting = chance.between(0.5, 4);
            double rate = chance.between(1, 2.5) / (share * lasting + (1 - share) * brief);
            return scenario(
                            curve,
                            SECONDS,
                            List.of(),
                            Phase.load(0, rate),
                            Phase.load(MINUTE, 2 * rate),
                            Phase.load(2 * MINUTE, rate))
                    .withMix(new Mix(share, brief / curve.serviceSeconds(), lasting / curve.serviceSeconds()))
                    .withTimeout(chance.evenly(0.05, LONGEST_TIMEOUT));
        }
    },
    /** Two to six pools that share a database, and a minute of more than that can do. */
    INSTANCES {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            int instances = (int) chance.between(2, 7);
            double calm = curve.peakRate() * chance.between(0.3, 0.5);
            double overload = curve.peakRate() * chance.between(1.1, 1.6);
            return scenario(
                            curve,
                            SHARED_SECONDS,
                            List.of(),
                            Phase.load(0, calm),
                            Phase.load(MINUTE, overload),
                            Phase.load(2 * MINUTE, calm))
                    .withTimeout(chance.evenly(0.1, 5))
                    .withInstances(instances * (int) chance.between(3, 7), instances);
        }
    },
    /** A few seconds of high load, each minute. */
    MINUTE_BURSTS {
        @Override
        Scenario draw(Usl curve, Chance chance) {
            double calm = curve.peakRate() * chance.between(0.1, 0.3);
            double high = curve.peakRate() * chance.between(0.6, 0.9);
            double lasts = chance.between(3, 15);
            double first = chance.between(20, 50);
            List<Phase> phases = new ArrayList<>(List.of(Phase.load(0, calm)));
            for (double begins = first; begins < BURSTS_SECONDS - lasts; begins += MINUTE) {
                phases.add(Phase.load(begins, high));
                phases.add(Phase.load(begins + lasts, calm));
            }
            return scenario(curve, BURSTS_SECONDS, List.of(), phases.toArray(Phase[]::new))
                    .withTimeout(chance.evenly(0.05, LONGEST_TIMEOUT));
        }
    };

    private static final int BASE = 5;
    private static final int CEILING = 40;
    private static final double SECONDS = 180;
    private static final double SHARED_SECONDS = 240;
    private static final double BURSTS_SECONDS = 300;
    private static final double MINUTE = 60;
    private static final double LONGEST_TIMEOUT = 30;
    /** Mean of active connections: the ceiling carries them. */
    private static final double MOST_BUSY = 28;

    /** What is drawn. */
    interface Chance {
        /** Any number between two, each as likely. */
        double between(double least, double most);

        /** Any number between two, its order of magnitude as likely as any other. */
        default double evenly(double least, double most) {
            return Math.exp(between(Math.log(least), Math.log(most)));
        }
    }

    /** Draws one of this kind. */
    abstract Scenario draw(Usl curve, Chance chance);

    Scenario scenario(Usl curve, double seconds, List<Burst> bursts, Phase... phases) {
        return new Scenario(toString(), curve, BASE, CEILING, seconds, List.of(phases), bursts, List.of());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
