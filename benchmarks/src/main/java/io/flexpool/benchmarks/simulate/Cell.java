// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A controller's runs in one scenario, one row per seed.
 *
 * @param rows at least one
 */
record Cell(List<SimRow> rows) {
    /** What one run counts at most: beyond it, worse is no news, and one scenario would speak for all. */
    static final double MOST_REGRET = 10;

    String scenario() {
        return rows.get(0).scenario();
    }

    double mean(ToDoubleFunction<SimRow> figure) {
        return rows.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    double regret() {
        return mean(SimRow::regret);
    }

    double worstRegret() {
        return rows.stream().mapToDouble(SimRow::regret).max().orElse(Double.NaN);
    }

    /** As it counts in a mean over scenarios. */
    double cappedRegret() {
        return Math.min(MOST_REGRET, regret());
    }

    long failures() {
        return rows.stream().mapToLong(SimRow::failures).sum();
    }

    long requests() {
        return rows.stream().mapToLong(SimRow::requests).sum();
    }

    int maxHeld() {
        return rows.stream().mapToInt(SimRow::maxHeld).max().orElse(0);
    }
}
