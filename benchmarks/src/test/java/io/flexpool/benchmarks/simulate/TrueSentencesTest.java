// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.SizingDecision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each sentence of a decision is compared with the state of the simulation: the database and the requests as they are, the
 * windows, and the failures of a larger pool.
 */
class TrueSentencesTest {
    /** {@code -Dflexpool.sentences.seeds} has more of them. */
    private static final int SEEDS = Integer.getInteger("flexpool.sentences.seeds", 1);

    private static final int ENOUGH = 600 * SEEDS;
    private static final int SECOND = 4;
    private static final double TARGET_NANOS = 10e6;
    private static final Pattern FAIL = Pattern.compile("(\\d+) requests/s fail");
    private static final Pattern TAKEN = Pattern.compile("(\\d+) long leases occupy");
    private static final Pattern ONLY_LEASES = Pattern.compile("only (\\d+) leases ended");

    private static final Pattern NO_HELP = Pattern.compile("the trial of (\\d+) .*did not help");

    private final List<String> wrong = new ArrayList<>();
    private int sentences;

    /** The production controller, with the windows that each sentence was made of. */
    private final class Judged implements SimController {
        private final FlexPoolController controller = new FlexPoolController();
        private final Scenario scenario;
        private final Deque<PoolWindow> lately = new ArrayDeque<>();
        /** Limits that a trial was about, the one before it included. */
        private final Set<Long> tried = new HashSet<>();

        private long against = Long.MIN_VALUE / 2;
        private int seen;

        Judged(Scenario scenario) {
            this.scenario = scenario;
        }

        @Override
        public String name() {
            return controller.name();
        }

        @Override
        public void begin(SimPool pool) {
            controller.begin(pool);
        }

        @Override
        public int onTick(PoolWindow window) {
            lately.addFirst(window);
            if (lately.size() > 12 * SECOND) {
                lately.removeLast();
            }
            int to = controller.onTick(window);
            List<SizingDecision> all = controller.decisions();
            for (SizingDecision made : all.subList(seen, all.size())) {
                sentences++;
                judge(made, window);
                if (made.verdict() == Verdict.PENDING) {
                    tried.addAll(List.of((long) made.from(), (long) made.tried()));
                }
                boolean fewer = made.cause() == Cause.CONTENTION && made.verdict() == Verdict.PROVEN;
                if (made.verdict() == Verdict.REVERTED || fewer) {
                    against = window.nowNanos();
                }
            }
            seen = all.size();
            return to;
        }

        private long timeouts(int ticks) {
            return lately.stream()
                    .limit(ticks)
                    .mapToLong(window -> window.traffic().timeouts())
                    .sum();
        }

        private void judge(SizingDecision made, PoolWindow window) {
            String text = made.explanation();
            refuse(made, text.contains(" 0.0 ms"), "a time of nothing");
            refuse(made, text.contains("NaN") || text.contains("Infinity"), "no figure");
            refuse(made, text.contains("only 100 %"), "a reason that is none");
            refuse(made, text.contains("more would not help") && aLargerPoolLosesFewer(), "a larger pool loses fewer");
            refuse(
                    made,
                    (text.contains("database is slow") || text.contains("database has become slower"))
                            && !slower(window),
                    "the database is as fast as ever");
            refuse(
                    made,
                    text.contains("no request waits now")
                            && window.waiting() > 0
                            && window.headAgeNanos() > TARGET_NANOS,
                    "requests wait");
            refuse(made, text.contains("is the ceiling") && made.to() != window.ceiling(), "another ceiling");
            refuse(made, text.contains("changed externally"), "nothing else moves the limit");
            refuse(made, text.contains("did not open") && window.total() >= made.tried(), "the connections are open");
            boolean lately = window.nowNanos() - against < 61e9;
            refuse(made, text.contains("did not help") && !lately, "no trial spoke against it");
            refuse(made, text.contains("recent trial did not help"), "the trial has no name");
            refuse(made, NO_HELP.matcher(text).find() && !tried.contains(number(NO_HELP, text)), "another trial");
            refuse(made, text.contains("fewer connections are enough") && timeouts(SECOND) > 0, "requests fail");
            refuse(
                    made,
                    text.contains("database refuses")
                            && this.lately.stream()
                                    .limit(6 * SECOND)
                                    .allMatch(one -> one.traffic().connectFailures() == 0),
                    "it refuses none");
            refuse(made, text.contains("have failed within the last") && timeouts(12 * SECOND) == 0, "none failed");
            refuse(made, text.contains("timed out for 5 s") && timeouts(5 * SECOND) > 0, "one has");
            refuse(made, number(FAIL, text) != timeouts(SECOND), "another number of failures");
            refuse(made, number(ONLY_LEASES, text) >= 30, "enough leases");
            refuse(made, number(TAKEN, text) > window.open().olderThan(100_000_000L), "fewer leases are so old");
        }

        /** Whether the database does less than at first. */
        private boolean slower(PoolWindow window) {
            Phase first = scenario.phases().get(0);
            double now = window.nowNanos() / 1e9;
            return scenario.speed().spread() > 0
                    || scenario.phases().stream()
                            .filter(phase -> phase.fromSecond() <= now)
                            .anyMatch(phase -> phase.workFactor() > first.workFactor()
                                    || phase.delayFactor() > first.delayFactor()
                                    || phase.holdSeconds() > first.holdSeconds());
        }

        private boolean aLargerPoolLosesFewer() {
            SimResult least = Simulation.run(scenario, 1, StaticSize::new);
            return Simulation.run(BestStatic.sized(scenario, 3 * scenario.base()), 1, StaticSize::new)
                            .failures()
                    < least.failures();
        }

        private void refuse(SizingDecision made, boolean isWrong, String why) {
            if (isWrong) {
                wrong.add(scenario.name() + ": \"" + made.explanation() + "\": " + why);
            }
        }

        /** The number that a sentence names; what is right by itself if it names none. */
        private long number(Pattern pattern, String text) {
            Matcher found = pattern.matcher(text);
            if (found.find()) {
                return Long.parseLong(found.group(1));
            }
            return pattern == FAIL ? timeouts(SECOND) : 0;
        }
    }

    @Test
    void noSentenceIsFalse() {
        List<Scenario> scenarios = new ArrayList<>(Stream.of(Scenarios.ALL, NewScenarios.ALL, HardScenarios.ALL)
                .flatMap(List::stream)
                .toList());
        for (double lease : HardScenarios.LEASES) {
            for (double timeout : HardScenarios.TIMEOUTS) {
                scenarios.add(HardScenarios.map(lease, timeout));
            }
        }
        for (Scenario scenario : scenarios) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                Simulation.run(scenario, seed, () -> new Judged(scenario));
            }
        }
        assertThat(sentences).isGreaterThanOrEqualTo(ENOUGH);
        assertThat(wrong).as("of %s sentences", sentences).isEmpty();
    }
}
