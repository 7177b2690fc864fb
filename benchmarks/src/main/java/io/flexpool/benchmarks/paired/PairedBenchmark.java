// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import io.flexpool.benchmarks.kit.Steps;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;

/**
 * Compares variants on a machine whose speed changes from second to second. All live in one JVM, each in its own class
 * loader; a round gives each a slice of a few milliseconds, in random order; only differences to the first variant, the
 * bare pool, of the same round count, and of these the median. Thread CPU time, so that a neighbour's work is not
 * counted. For use by one thread.
 */
public final class PairedBenchmark {
    /** Shorter than the machine's moods, long enough for thousands of cycles; where no other length is asked for. */
    public static final int SLICE_MILLIS = 4;

    /** HikariCP's switch, off here: in its own class loader it would else allocate 32 bytes more per cycle. */
    public static final String WEAK_REFERENCES = "com.zaxxer.hikari.useWeakReferences";

    /**
     * After this many rounds every variant's figures are read once, as they are in life every few seconds. Between the
     * slices, so that it is not counted.
     */
    public static final int READ_EVERY = 10;

    private static final long SLICE_NANOS = SLICE_MILLIS * 1_000_000L;
    /** Allocation is exact and does not depend on the neighbours: one long slice per sample. */
    private static final long ALLOCATION_SLICE_NANOS = 50_000_000L;

    private static final int MOST_ALLOCATION_SLICES = 40;
    /** Two samples that agree to this many bytes show the final compilation. */
    private static final double SETTLED_BYTES = 0.02;

    private final Trial trial;
    private final List<String> variants;
    private final Random random = new Random();

    /**
     * Nothing runs yet.
     *
     * @param trial what the variants have in common
     * @param variants their names, each once; the first is the one that all are compared with
     */
    public PairedBenchmark(Trial trial, List<String> variants) {
        this.trial = trial;
        this.variants = List.copyOf(variants);
    }

    /** What is done with the variants once all are ready. */
    private interface Measurement<T> {
        T of(List<Contender> contenders) throws InterruptedException, ExecutionException;
    }

    /**
     * Runs all rounds in the state that an application reaches after some time, then measures the
     * allocation. Each pool's first user is a thread that opens one connection and then lives on without any: what a
     * thread keeps to itself, this one keeps from the others. Between warm-up and the rounds that count, a full collection
     * moves what lives: objects that were allocated far from each other may now share a cache line, and a reference that is
     * stored into one of them costs the collector's barrier.
     *
     * @param warmUp rounds before those that count, of slices of {@link #SLICE_MILLIS}
     * @param slicings the rounds that count, one kind after the other
     * @param progress steps by the milliseconds of a slice, once per round
     * @return for each kind of round one per variant, in their order; the bytes are those of all kinds
     * @throws ReflectiveOperationException if a workload cannot be made
     * @throws IOException if a class loader cannot be closed
     * @throws InterruptedException if the calling thread is interrupted
     * @throws ExecutionException if a cycle fails
     */
    public Map<Slicing, List<Measured>> run(int warmUp, Collection<Slicing> slicings, Steps progress)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        Map<Slicing, Map<String, Series>> cpu = new LinkedHashMap<>();
        slicings.forEach(slicing -> cpu.put(slicing, series(slicing.rounds())));
        Map<String, Long> figures = new LinkedHashMap<>();
        Map<String, Double> bytes = withAll(contenders -> {
            for (Contender contender : contenders) {
                contender.openFirst();
            }
            Steps warmUpSteps = (steps, doing) -> progress.steps(steps * SLICE_MILLIS, doing);
            warmUp(contenders, warmUp, warmUpSteps);
            System.gc();
            for (Map.Entry<Slicing, Map<String, Series>> kind : cpu.entrySet()) {
                Slicing slicing = kind.getKey();
                Steps counting = (steps, doing) ->
                        progress.steps(steps * slicing.millis(), doing + " of " + slicing.millis() + " ms");
                count(contenders, slicing, kind.getValue(), counting);
            }
            contenders.forEach(one -> figures.put(one.variant(), one.figuresRead()));
            return allocations(contenders);
        });
        Map<Slicing, List<Measured>> measured = new LinkedHashMap<>();
        cpu.forEach((slicing, series) -> measured.put(slicing, measured(series, bytes, figures)));
        return measured;
    }

    private Map<String, Series> series(int rounds) {
        Map<String, Series> series = new LinkedHashMap<>();
        variants.forEach(variant -> series.put(variant, new Series(rounds)));
        return series;
    }

    private void warmUp(List<Contender> contenders, int rounds, Steps progress)
            throws InterruptedException, ExecutionException {
        for (int round = 0; round < rounds; round++) {
            round(contenders, SLICE_NANOS);
            read(contenders, round);
            progress.step(trial.load() + " warm-up");
        }
    }

    private void count(List<Contender> contenders, Slicing slicing, Map<String, Series> cpu, Steps progress)
            throws InterruptedException, ExecutionException {
        for (int at = 0; at < slicing.rounds(); at++) {
            int round = at;
            round(contenders, slicing.nanos())
                    .forEach((variant, nanos) -> of(variant, cpu).set(round, nanos));
            read(contenders, round);
            progress.step(trial.load() + " rounds");
        }
    }

    private <T> T withAll(Measurement<T> measurement)
            throws ReflectiveOperationException, IOException, InterruptedException, ExecutionException {
        // Read by HikariCP's classes when a contender loads them; the reports say that it is set.
        System.setProperty(WEAK_REFERENCES, "false");
        List<Contender> contenders = new ArrayList<>();
        try {
            for (String variant : variants) {
                contenders.add(Contender.open(variant, trial));
            }
            return measurement.of(contenders);
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
    }

    /** CPU nanoseconds per cycle of each variant. */
    private Map<String, Double> round(List<Contender> contenders, long sliceNanos)
            throws InterruptedException, ExecutionException {
        List<Contender> order = new ArrayList<>(contenders);
        Collections.shuffle(order, random);
        Map<String, Double> nanos = new LinkedHashMap<>();
        for (Contender contender : order) {
            nanos.put(contender.variant(), contender.run(sliceNanos).cpuNanosPerCycle());
        }
        return nanos;
    }

    private static void read(List<Contender> contenders, int round) {
        if (round % READ_EVERY == 0) {
            contenders.forEach(Contender::read);
        }
    }

    private static Map<String, Double> allocations(List<Contender> contenders)
            throws InterruptedException, ExecutionException {
        Map<String, Double> bytes = new LinkedHashMap<>();
        for (Contender contender : contenders) {
            bytes.put(contender.variant(), allocation(contender));
        }
        return bytes;
    }

    /** Measures until two samples agree: an interpreted or half compiled cycle allocates more. */
    private static double allocation(Contender contender) throws InterruptedException, ExecutionException {
        double last = contender.run(ALLOCATION_SLICE_NANOS).bytesPerCycle();
        for (int look = 1; look < MOST_ALLOCATION_SLICES; look++) {
            double bytes = contender.run(ALLOCATION_SLICE_NANOS).bytesPerCycle();
            if (Math.abs(bytes - last) <= SETTLED_BYTES) {
                return bytes;
            }
            last = bytes;
        }
        return last;
    }

    private List<Measured> measured(Map<String, Series> cpu, Map<String, Double> bytes, Map<String, Long> figures) {
        Series bare = of(variants.get(0), cpu);
        List<Measured> measured = new ArrayList<>();
        cpu.forEach((variant, series) ->
                measured.add(Measured.of(variant, series, bare, of(variant, bytes), of(variant, figures))));
        return measured;
    }

    private static <T> T of(String variant, Map<String, T> figures) {
        T figure = figures.get(variant);
        if (figure == null) {
            throw new IllegalStateException(variant + " was not run");
        }
        return figure;
    }
}
