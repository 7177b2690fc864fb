// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Progress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Compares variants on a machine whose speed changes from second to second. All live in one JVM, each in its own class
 * loader; a round gives each a slice of a few milliseconds, in random order; only differences to bare HikariCP of the
 * same round count, and of these the median. Thread CPU time, so that a neighbour's work is not counted.
 */
final class OverheadBenchmark {
    /** Shorter than the machine's moods, long enough for thousands of cycles. */
    static final int SLICE_MILLIS = 4;

    private static final long SLICE_NANOS = SLICE_MILLIS * 1_000_000L;
    /** Allocation is exact and does not depend on the neighbours: one long slice per look. */
    private static final long ALLOCATION_SLICE_NANOS = 50_000_000L;

    private static final int MOST_ALLOCATION_SLICES = 40;
    /** Two looks that agree to this many bytes have seen the compiler's last word. */
    private static final double SETTLED_BYTES = 0.02;

    private final Load load;
    private final Set<Variant> variants;
    private final Random random = new Random();

    OverheadBenchmark(Load load, Set<Variant> variants) {
        this.load = load;
        this.variants = variants;
    }

    /**
     * Runs all rounds.
     *
     * @param warmUp rounds before the first that counts
     * @param rounds rounds that count
     * @return one row per variant
     */
    List<OverheadRow> run(int warmUp, int rounds, Progress progress) throws Exception {
        List<Contender> contenders = new ArrayList<>();
        try {
            for (Variant variant : variants) {
                contenders.add(Contender.open(variant, load));
            }
            for (int round = 0; round < warmUp; round++) {
                round(contenders);
                progress.step(load + " warm-up");
            }
            Map<Variant, Series> cpu = new EnumMap<>(Variant.class);
            variants.forEach(variant -> cpu.put(variant, new Series(rounds)));
            for (int at = 0; at < rounds; at++) {
                int round = at;
                round(contenders)
                        .forEach((variant, nanos) -> seriesOf(variant, cpu).set(round, nanos));
                progress.step(load + " rounds");
            }
            return rows(cpu, allocations(contenders));
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
    }

    /** CPU nanoseconds per cycle of each variant. */
    private Map<Variant, Double> round(List<Contender> contenders) throws InterruptedException, ExecutionException {
        List<Contender> order = new ArrayList<>(contenders);
        Collections.shuffle(order, random);
        Map<Variant, Double> nanos = new EnumMap<>(Variant.class);
        for (Contender contender : order) {
            nanos.put(contender.variant(), contender.run(SLICE_NANOS).cpuNanosPerOperation());
        }
        return nanos;
    }

    private static Map<Variant, Double> allocations(List<Contender> contenders)
            throws InterruptedException, ExecutionException {
        Map<Variant, Double> bytes = new EnumMap<>(Variant.class);
        for (Contender contender : contenders) {
            bytes.put(contender.variant(), allocation(contender));
        }
        return bytes;
    }

    /** Looks until two looks agree: an interpreted or half compiled cycle allocates more. */
    private static double allocation(Contender contender) throws InterruptedException, ExecutionException {
        double last = contender.run(ALLOCATION_SLICE_NANOS).bytesPerOperation();
        for (int look = 1; look < MOST_ALLOCATION_SLICES; look++) {
            double bytes = contender.run(ALLOCATION_SLICE_NANOS).bytesPerOperation();
            if (Math.abs(bytes - last) <= SETTLED_BYTES) {
                return bytes;
            }
            last = bytes;
        }
        return last;
    }

    private List<OverheadRow> rows(Map<Variant, Series> cpu, Map<Variant, Double> bytes) {
        Series bare = seriesOf(Variant.BARE, cpu);
        double unit = cpu.containsKey(Variant.IDEAL)
                ? seriesOf(Variant.IDEAL, cpu).minus(bare).median()
                : Double.NaN;
        List<OverheadRow> rows = new ArrayList<>();
        cpu.forEach((variant, series) -> {
            Series difference = series.minus(bare);
            rows.add(new OverheadRow(
                    load.threads(),
                    load.pool(),
                    variant.toString(),
                    rounded(series.median()),
                    rounded(difference.median()),
                    rounded(difference.quantile(0.25)),
                    rounded(difference.quantile(0.75)),
                    Double.isNaN(unit) ? null : Math.round(difference.median() / unit * 1000) / 1000.0,
                    rounded(bytes.getOrDefault(variant, Double.NaN))));
        });
        return rows;
    }

    private static Series seriesOf(Variant variant, Map<Variant, Series> cpu) {
        Series series = cpu.get(variant);
        if (series == null) {
            throw new IllegalStateException(variant + " was not run");
        }
        return series;
    }

    /** A hundredth of a nanosecond or byte is already less than is known. */
    private static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
