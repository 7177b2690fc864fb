// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.List;
import java.util.SplittableRandom;

/**
 * When requests arrive at one instance, and how much work each is. The same seed gives the same requests with every
 * controller: arrivals, work and kinds are drawn separately and in the order of arrival.
 */
final class Load {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    /** The lognormal law whose standard deviation is its mean. */
    private static final double LOG_VARIANCE = Math.log(2);

    private final SplittableRandom arrivals;
    private final SplittableRandom work;
    private final SplittableRandom kind;
    private final double serviceSeconds;
    private final Mix mix;
    private final int instance;
    private final int instances;
    private final List<Phase> phases;
    private final List<Burst> bursts;
    private boolean lasting;
    private int phaseIndex;
    private int burstIndex;
    private double next;

    /**
     * Begins at 0.
     *
     * @param random of this instance alone
     * @param instance which one, from 0
     */
    Load(Scenario scenario, SplittableRandom random, int instance) {
        this.arrivals = random.split();
        this.work = random.split();
        this.kind = random.split();
        this.serviceSeconds = scenario.curve().serviceSeconds();
        this.mix = scenario.mix();
        this.instance = instance;
        this.instances = scenario.instances();
        this.phases = scenario.phases();
        this.bursts = scenario.bursts();
        this.next = gap();
    }

    Phase phase() {
        return phases.get(phaseIndex);
    }

    double phaseEnds() {
        return phaseIndex + 1 < phases.size() ? phases.get(phaseIndex + 1).fromSecond() : NEVER;
    }

    /** The next phase begins; a Poisson stream has no memory, so the next arrival is drawn anew. */
    Phase nextPhase() {
        phaseIndex++;
        next = phase().fromSecond() + gap();
        return phase();
    }

    double nextArrival() {
        return next;
    }

    void arrived() {
        next += gap();
    }

    double nextBurst() {
        return burstIndex < bursts.size() ? bursts.get(burstIndex).second() : NEVER;
    }

    /** This instance's share of the burst that is due. */
    Burst burst() {
        Burst whole = bursts.get(burstIndex++);
        int share = whole.requests() / instances + (instance < whole.requests() % instances ? 1 : 0);
        return new Burst(whole.second(), share, whole.holdSeconds());
    }

    /** The work of the request that arrives now, seconds alone in the database. */
    double work() {
        double usual = serviceSeconds * Math.exp(work.nextGaussian() * Math.sqrt(LOG_VARIANCE) - LOG_VARIANCE / 2);
        lasting = kind.nextDouble() < mix.longShare();
        return usual * (lasting ? mix.longFactor() : mix.shortFactor());
    }

    /** Whether the request whose work was drawn last is one of the long ones of a mix. */
    boolean lasting() {
        return lasting;
    }

    private double gap() {
        double rate = phase().rate() / instances;
        return rate > 0 ? -Math.log(1 - arrivals.nextDouble()) / rate : NEVER;
    }
}
