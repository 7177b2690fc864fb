// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be thought of the pools' order.
 *
 * @param standings what was measured, on a driver that answers at once
 * @param threads the thread count
 * @param processors those of the machine
 */
record RankingFinding(Standings standings, int threads, int processors) {
    /** A quarter of those of the published run: with fewer, threads of short cycles hardly ever meet. */
    static final int ENOUGH_PROCESSORS = 8;

    Finding finding() {
        Ranking ranking = Ranking.of(standings, threads);
        String claim = "The pools' order with " + threads + (threads == 1 ? " thread" : " threads");
        if (!ranking.enough()) {
            return new Finding(
                    claim,
                    ShootOutFindings.SOURCE,
                    null,
                    ranking.entries().size() + " pools of the table",
                    null,
                    Verdict.CANNOT_BE_JUDGED,
                    "so few may have any order by chance");
        }
        String unfit = unfit();
        return new Finding(
                claim,
                ShootOutFindings.SOURCE,
                ranking.published(),
                ranking.measured(),
                null,
                unfit == null ? verdict(ranking) : Verdict.CANNOT_BE_JUDGED,
                (unfit == null ? "" : unfit + "; ") + ranking.text() + "; from "
                        + TextTable.number(ranking.critical(), 3)
                        + " on it is no chance (5 %), below 0 the order is another one, between them nothing can be"
                        + " said. Fast first; published on 32 hardware threads and JDK 7. Measured ms: " + spreads());
    }

    private static Verdict verdict(Ranking ranking) {
        if (ranking.correlation() >= ranking.critical()) {
            return Verdict.REPRODUCED;
        }
        return ranking.correlation() <= 0 ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_BE_JUDGED;
    }

    /** Why this run shows no order; null if it does. */
    private @Nullable String unfit() {
        if (standings.setup().quick()) {
            return "the quick form is too short for an order";
        }
        return threads > 1 && processors < ENOUGH_PROCESSORS
                ? processors + " processors are too few for " + threads + " threads to meet as they did there"
                : null;
    }

    private String spreads() {
        return standings.setup().pools().stream()
                .filter(pool ->
                        Published.of(pool).filter(row -> row.pool() == pool).isPresent())
                .flatMap(pool -> standings.of(pool, Variant.BARE, threads).stream()
                        .filter(Standing::measured)
                        .map(standing -> pool + " " + standing.ms().textAndRange(0)))
                .collect(Collectors.joining(", "));
    }
}
