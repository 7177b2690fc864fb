// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import io.flexpool.benchmarks.kit.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All rounds of one variant on one database. */
record Standing(LeaseDatabase database, Variant variant, List<Row> rounds) {
    /** Of all rows, in their order. */
    static List<Standing> of(List<Row> rows) {
        List<Standing> standings = new ArrayList<>();
        for (LeaseDatabase database : LeaseDatabase.values()) {
            for (Variant variant : Variant.values()) {
                List<Row> its = rows.stream()
                        .filter(row -> row.database() == database && row.variant() == variant)
                        .toList();
                if (!its.isEmpty()) {
                    standings.add(new Standing(database, variant, its));
                }
            }
        }
        return standings;
    }

    static Optional<Standing> find(List<Standing> all, LeaseDatabase database, Variant variant) {
        return all.stream()
                .filter(one -> one.database() == database && one.variant() == variant)
                .findFirst();
    }

    /** A figure in all rounds. */
    Spread spread(Function<Row, @Nullable Double> figure) {
        return Spread.of(rounds.stream().mapToDouble(row -> {
            Double known = figure.apply(row);
            return known == null ? Double.NaN : known;
        }));
    }

    double median(Function<Row, @Nullable Double> figure) {
        return spread(figure).median();
    }

    long failed() {
        return rounds.stream().mapToLong(Row::failed).sum();
    }

    long pinned() {
        return rounds.stream().mapToLong(Row::pinned).sum();
    }
}
