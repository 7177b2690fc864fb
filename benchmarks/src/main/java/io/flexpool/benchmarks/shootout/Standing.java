// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.Spread;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * All repeats of one pool in one variant in one round.
 *
 * @param results at least one
 */
record Standing(List<Result> results) {
    /** The load. */
    Assignment.Round round() {
        return results.get(0).round();
    }

    /** The load in words. */
    String load() {
        String threads = inWords(round().threads());
        return round().pressing() ? threads + " that hold for " + round().holdMs() + " ms" : threads;
    }

    /** A thread count in words. */
    static String inWords(int threads) {
        return threads == 1 ? "1 thread" : threads + " threads";
    }

    /** The figures of those that came to their end. */
    Stream<Heat> heats() {
        return results.stream().map(Result::heat).filter(Objects::nonNull);
    }

    /** Whether there are figures. */
    boolean measured() {
        return heats().findAny().isPresent();
    }

    /** How many did not come to their end within the bound. */
    long hung() {
        return count(Result.Outcome.HUNG);
    }

    /** How many failed altogether. */
    long failed() {
        return count(Result.Outcome.FAILED);
    }

    /** How many have no figures. */
    long lost() {
        return hung() + failed();
    }

    /** Whether all that was run came to its end without an error. */
    boolean faultless() {
        return lost() + errors() == 0;
    }

    private long count(Result.Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    /** Total milliseconds. Only if measured. */
    Spread ms() {
        return spread(Heat::ms);
    }

    /** CPU milliseconds. Only if measured. */
    Spread cpuMs() {
        return spread(Heat::cpuMs);
    }

    private Spread spread(ToDoubleFunction<Heat> figure) {
        return Spread.of(heats().mapToDouble(figure));
    }

    /** Cycles that failed, of all repeats. */
    long errors() {
        return heats().mapToLong(Heat::errors).sum();
    }

    /** Cycles of all repeats. */
    long cycles() {
        return heats().mapToLong(heat -> heat.errors() + heat.answered()).sum();
    }

    /** The first error of any. */
    Optional<String> firstError() {
        return heats().map(Heat::firstError).filter(Objects::nonNull).findFirst();
    }

    /** The most connections that were open at once in any repeat; 0 if none was measured. */
    int peak() {
        return heats().mapToInt(Heat::peak).max().orElse(0);
    }

    /** The fewest connections that were open before the first cycle, in any repeat; 0 if none was measured. */
    int openAtStart() {
        return heats().mapToInt(Heat::openAtStart).min().orElse(0);
    }

    /** The most connections that were open after the last cycle in any repeat; 0 if none was measured. */
    int openAtEnd() {
        return heats().mapToInt(Heat::openAtEnd).max().orElse(0);
    }
}
