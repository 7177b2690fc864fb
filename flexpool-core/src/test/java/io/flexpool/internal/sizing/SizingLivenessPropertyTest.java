// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.ModelPool.Mix;
import io.flexpool.internal.sizing.ModelPool.Phase;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * That something happens: while requests fail for fifteen seconds and growth is allowed, a step is tried or a reason is
 * given, for any acquisition timeout, length of leases and number of instances. Each reason is given once until requests
 * neither wait nor fail.
 */
class SizingLivenessPropertyTest {
    private static final int PATIENCE_TICKS = 60;
    private static final int MOST_TRIED_TICKS = 120;
    private static final int SECOND_TICKS = 4;
    private static final int CONNECT_HOLD_TICKS = 20;
    private static final int CALM_TICKS = 20;
    private static final int MOST_CEILING = 40;

    /** A pool and how its requests behave. */
    record Setting(double timeoutSeconds, Mix mix, int knee, int instances, List<Phase> phases) {}

    @Property(tries = 400)
    void whileRequestsFailSomethingIsTriedOrAReasonIsGiven(
            @ForAll("settings") Setting setting, @ForAll @LongRange(max = 1_000_000) long seed) {
        Phase first = setting.phases().get(0);
        ModelPool pool = new ModelPool(seed, first.base(), setting.knee(), setting.timeoutSeconds(), setting.mix());
        SizingSettings settings = SizingSettings.DEFAULT.withInstances(setting.instances());
        SizingController controller = new SizingController(settings, PoolMode.ADAPT);
        Liveness liveness = new Liveness(setting.instances());
        for (Phase phase : setting.phases()) {
            pool.leak(phase.leaks());
            for (int tick = 0; tick < phase.ticks(); tick++) {
                PoolWindow window = pool.tick(phase);
                SizingStep step = controller.onTick(window);
                liveness.see(window, step);
                pool.limit(step.limit());
            }
        }
    }

    /** Requests of 220 ms, later of 660 ms, that give up after 100 ms: 2,559 of 4,323 failed, and not one decision. */
    @Property(tries = 20)
    void leasesLongerThanHalfTheTimeoutAreNoReasonToWait(
            @ForAll @LongRange(max = 1_000_000) long seed, @ForAll @IntRange(min = 1, max = 20) int times) {
        double timeout = 0.05 * times;
        ModelPool pool = new ModelPool(seed, 5, 100, timeout, Mix.ALL_ALIKE);
        SizingController controller = new SizingController(SizingSettings.DEFAULT, PoolMode.ADAPT);
        Liveness liveness = new Liveness(1);
        for (int tick = 0; tick < 400; tick++) {
            PoolWindow window = pool.tick(new Phase(400, 40, tick < 200 ? 11 : 33, true, 0, 5, 40));
            SizingStep step = controller.onTick(window);
            liveness.see(window, step);
            pool.limit(step.limit());
        }
        assertThat(pool.limit()).as("for 40 requests/s of 660 ms").isGreaterThan(20);
    }

    @Provide
    Arbitrary<Setting> settings() {
        Arbitrary<Double> timeouts = evenly(0.05, 30);
        Arbitrary<Mix> mixes = Combinators.combine(
                        Arbitraries.of(0.0, 0.0, 0.01, 0.05),
                        Arbitraries.integers().between(5, 500))
                .as((share, factor) -> new Mix(share, factor));
        Arbitrary<Phase> phases = Combinators.combine(
                        Arbitraries.integers().between(40, 240),
                        evenly(2, 1000),
                        Arbitraries.of(1.0, 1.0, 3.0, 10.0, 40.0),
                        Arbitraries.integers().between(0, 9).map(one -> one > 0),
                        Arbitraries.of(0, 0, 0, 1, 3))
                .as((ticks, rate, slow, up, leaks) -> new Phase(ticks, rate, slow, up, leaks, 5, MOST_CEILING));
        return Combinators.combine(
                        timeouts,
                        mixes,
                        Arbitraries.integers().between(4, 60),
                        Arbitraries.of(1, 1, 2, 4),
                        phases.list().ofMinSize(1).ofMaxSize(5))
                .as(Setting::new);
    }

    /** Its order of magnitude is as likely as any other. */
    private static Arbitrary<Double> evenly(double least, double most) {
        return Arbitraries.integers().between(0, 1000).map(part -> least * Math.pow(most / least, part / 1000.0));
    }

    /** Watches for fifteen seconds of silence. */
    private static final class Liveness {
        private final int instances;
        private final Deque<Boolean> failed = new ArrayDeque<>();
        private int silentTicks;
        private int failingTicks;
        private int allowedTicks;
        private int sinceConnectFailure = CONNECT_HOLD_TICKS;
        private int triedTicks;
        private boolean tries;
        /** Given since requests last had neither waited nor failed. */
        private boolean reason;

        private final Set<Cause> reasons = EnumSet.noneOf(Cause.class);
        private int sinceTimeout;
        private int sinceWaiting;

        Liveness(int instances) {
            this.instances = instances;
        }

        void see(PoolWindow window, SizingStep step) {
            failed.addLast(window.traffic().timeouts() > 0);
            if (failed.size() > SECOND_TICKS) {
                failed.removeFirst();
            }
            sinceConnectFailure = window.traffic().connectFailures() > 0 ? 0 : sinceConnectFailure + 1;
            int part = Math.max(window.base(), window.ceiling() / instances);
            boolean allowed = window.limit() < part && window.filled() && sinceConnectFailure >= CONNECT_HOLD_TICKS;
            failingTicks = failed.contains(true) ? failingTicks + 1 : 0;
            allowedTicks = allowed ? allowedTicks + 1 : 0;
            silentTicks = step.decisions().isEmpty() ? silentTicks + 1 : 0;
            triedTicks = tries ? triedTicks + 1 : 0;
            sinceTimeout = window.traffic().timeouts() > 0 ? 0 : sinceTimeout + 1;
            sinceWaiting = window.waiting() > 0 ? 0 : sinceWaiting + 1;
            if (sinceTimeout >= CALM_TICKS) {
                reasons.clear();
                reason &= sinceWaiting < CALM_TICKS;
            }
            for (SizingDecision made : step.decisions()) {
                if (made.verdict() == Verdict.NONE && made.to() == made.from() && made.cause() != Cause.CALM) {
                    reason = true;
                    assertThat(reasons.add(made.cause()))
                            .as("given once: %s", made)
                            .isTrue();
                }
                // A step that follows on one that was kept begins a trial of its own.
                triedTicks = made.verdict() == Verdict.PENDING ? 0 : triedTicks;
                tries = made.verdict() == Verdict.PENDING || (tries && made.verdict() == Verdict.NONE);
            }
            assertThat(triedTicks)
                    .as("ticks since a step began to be tried, %s", window)
                    .isLessThan(MOST_TRIED_TICKS);
            assertThat(!tries
                            && !reason
                            && Math.min(failingTicks, Math.min(allowedTicks, silentTicks)) >= PATIENCE_TICKS)
                    .as("fifteen seconds of failures at the limit %s, without a word: %s", window.limit(), window)
                    .isFalse();
        }
    }
}
