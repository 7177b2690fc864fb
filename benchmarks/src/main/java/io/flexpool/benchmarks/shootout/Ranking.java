// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The order of the pools at one thread count, published beside measured. Of the published figures those of JDK 7.
 *
 * @param threads the thread count
 * @param entries the pools that both have
 */
record Ranking(int threads, List<Entry> entries) {
    /** By number of pools, from 4 on: below this, one in twenty orders by chance agrees as well. Spearman, one-sided. */
    private static final double[] CRITICAL = {1, 0.9, 0.829, 0.714};

    private static final int FEWEST = 4;

    /**
     * One pool.
     *
     * @param name the published name
     * @param published milliseconds of a million cycles
     * @param measured milliseconds, of as many cycles as the others
     */
    record Entry(String name, double published, double measured) {}

    /** Bare pools that are in the table, with or without errors. */
    static Ranking of(Standings standings, int threads) {
        List<Entry> entries = standings.setup().pools().stream()
                .flatMap(pool -> Published.of(pool).filter(row -> row.pool() == pool).stream())
                .filter(row -> row.ms(Published.Jdk.JDK7, threads).isPresent())
                .filter(row -> standings.ms(row.pool(), Variant.BARE, threads).isPresent())
                .map(row -> new Entry(
                        row.label(),
                        row.ms(Published.Jdk.JDK7, threads).getAsInt(),
                        standings.ms(row.pool(), Variant.BARE, threads).getAsDouble()))
                .toList();
        return new Ranking(threads, entries);
    }

    /** Whether there are enough pools to distinguish an order from chance. */
    boolean enough() {
        return entries.size() >= FEWEST;
    }

    /** Spearman's rank correlation: 1 for the same order, -1 for the opposite one. */
    double correlation() {
        double squares = entries.stream()
                .mapToDouble(entry -> {
                    double apart = rank(entry, Comparator.comparingDouble(Entry::published))
                            - rank(entry, Comparator.comparingDouble(Entry::measured));
                    return apart * apart;
                })
                .sum();
        int pools = entries.size();
        return 1 - 6 * squares / (pools * ((double) pools * pools - 1));
    }

    /** From 1 on; equal figures share the mean of their ranks. */
    private double rank(Entry entry, Comparator<Entry> by) {
        long below =
                entries.stream().filter(other -> by.compare(other, entry) < 0).count();
        long same =
                entries.stream().filter(other -> by.compare(other, entry) == 0).count();
        return below + (same + 1) / 2.0;
    }

    /** What the correlation must reach to be no chance. Only if there are enough pools. */
    double critical() {
        return CRITICAL[Math.min(entries.size() - FEWEST, CRITICAL.length - 1)];
    }

    /** The names from fast to slow, as published. */
    String published() {
        return order(Comparator.comparingDouble(Entry::published));
    }

    /** The names from fast to slow, as measured. */
    String measured() {
        return order(Comparator.comparingDouble(Entry::measured));
    }

    private String order(Comparator<Entry> by) {
        return entries.stream().sorted(by).map(Entry::name).collect(Collectors.joining(" < "));
    }

    /** The correlation in words. */
    String text() {
        return "rank correlation " + TextTable.number(correlation(), 2) + " over " + entries.size() + " pools";
    }
}
