// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Measured;
import java.util.List;

/**
 * Two stores that are compared, each round by itself.
 *
 * @param store the one
 * @param to the one that it is measured by
 * @param workload of both
 * @param judgedFrom with fewer messages the rates are those of the compiler, of the first checkpoint, of chance
 */
record Pair(Store store, Store to, String workload, int judgedFrom) {
    private static final int DECIMALS = 3;

    /** The rate of the one over that of the other. */
    Spread ratio(Figures figures) {
        return figures.ratio(store, to, workload);
    }

    /** The evidence of their ratio. */
    Measured measured(Figures figures, String why) {
        Spread ratio = ratio(figures);
        if (!ratio.known()) {
            return missing();
        }
        return doubted(
                figures,
                Measured.of(
                        rate(figures, store).text(1) + " / " + rate(figures, to).text(1) + " messages/s",
                        ratio.median(),
                        "over the rounds " + ratio.range(DECIMALS) + "; " + why + cost(figures, store) + "; "
                                + cost(figures, to)));
    }

    /** That one of them was not measured, or never in a round with the other. */
    Measured missing() {
        return Measured.nothing("both " + store + " and " + to + " with " + workload + " in the same round");
    }

    /** Evidence that rests on the rates of both: what keeps it from being judged. */
    Measured doubted(Figures figures, Measured evidence) {
        List<String> names = List.of(store.toString(), to.toString());
        long fewest = figures.runs().stream()
                .filter(run -> run.workload().equals(workload) && names.contains(run.store()))
                .mapToLong(Run::sent)
                .min()
                .orElse(0);
        long failed = figures.failures().stream()
                .filter(failure -> names.contains(failure.store()))
                .count();
        return evidence.unless(fewest < judgedFrom, fewest + " messages are too few, " + judgedFrom + " are needed")
                .unless(failed > 0, failed + " JVM(s) of these stores failed");
    }

    private Spread rate(Figures figures, Store of) {
        return figures.spread(of, workload, Run::rate);
    }

    /** Why a store is as fast as it is. */
    private String cost(Figures figures, Store of) {
        Spread per = figures.spread(of, workload, Run::connectionsPerMessage);
        return per.known()
                ? of + ": " + per.text(2) + " connections for each message, one in "
                        + figures.spread(of, workload, Run::connectionMs).text(DECIMALS) + " ms"
                : of + ": no connections";
    }
}
