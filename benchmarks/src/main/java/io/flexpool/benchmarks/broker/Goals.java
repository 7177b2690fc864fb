// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.List;

/** What flexpool aims at under a broker, whatever the load. */
final class Goals {
    private static final String GOAL = "flexpool's goal";
    private static final double LEAST_OF_BARE = 0.97;
    /** Of fewer rounds a difference of some percent is chance. */
    private static final int ROUNDS = 3;

    private Goals() {}

    /**
     * The goals of a scenario.
     *
     * @param published the workloads that come with the scenario
     * @param stores all stores of the scenario
     * @param judgedFrom with fewer messages a difference of some percent is what the JVM compiles
     */
    static List<Claim<Figures>> of(Plan plan, List<String> published, Store[] stores, int judgedFrom) {
        List<Claim<Figures>> goals = new ArrayList<>();
        for (String workload : plan.names()) {
            // Repeating only what was missed would give that two chances and everything else one.
            boolean part = published.contains(workload) && !plan.names().containsAll(published);
            for (Store store : stores) {
                for (Store bare : stores) {
                    if (store != bare && store.backend().bare() == bare.backend()) {
                        goals.add(wrapped(new Pair(store, bare, workload, judgedFrom), part));
                    }
                }
            }
        }
        goals.add(Claim.goal(
                GOAL,
                "no message is lost or doubled",
                Goals::received,
                figures -> figures.runs().stream().allMatch(Run::exactlyOnce)));
        return goals;
    }

    private static Claim<Figures> wrapped(Pair pair, boolean part) {
        return Claim.goal(
                GOAL,
                pair.store() + " moves at least " + LEAST_OF_BARE + " of the messages of " + pair.to() + " ("
                        + pair.workload() + ")",
                figures -> {
                    Spread ratio = pair.ratio(figures);
                    String alone = figures.spread(pair.to(), pair.workload(), Run::rate)
                            .range(1);
                    return pair.measured(
                                    figures,
                                    "the ratio is the median of those of each round, in which the two come one after"
                                            + " the other; " + pair.to() + " by itself " + alone + " messages/s; ")
                            .unless(ratio.known() && part, "only some loads were run: a run again is of all of them")
                            .unless(
                                    ratio.known() && ratio.count() < ROUNDS,
                                    ratio.count() + " round(s) with both are too few, " + ROUNDS + " are needed");
                },
                figures -> pair.ratio(figures).median() >= LEAST_OF_BARE);
    }

    private static Measured received(Figures figures) {
        boolean whole = figures.runs().stream().allMatch(Run::exactlyOnce);
        return Measured.of(
                        figures.sum(Run::lost) + " lost, " + figures.sum(Run::doubled) + " doubled, "
                                + figures.sum(Run::left) + " left at the broker",
                        null,
                        figures.sum(Run::expected) + " messages, each with its number, counted at each receiver")
                .unless(
                        whole && !figures.failures().isEmpty(),
                        figures.failures().size() + " of the JVMs failed")
                .unless(figures.runs().isEmpty(), "no JVM has ended");
    }
}
