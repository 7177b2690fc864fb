// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice.Confidence;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The sizes with which a load meets a wait target, in each hour, in its quarters, and in four other traces that the same
 * process could have left.
 *
 * @param most the largest of them
 * @param least the smallest, of the hour and the traces that have the largest
 * @param recorded that of the requests as they came, in the hour that has the largest
 * @param calmest that of the quarter of this hour that needs the fewest
 * @param busiest that of the quarter of this hour that needs the most
 */
record Required(int most, int least, int recorded, int calmest, int busiest) {
    private static final int BOOTSTRAPS = 4;
    private static final double MARGIN = 1.08;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** In a part with fewer requests no percentile decides. */
    private static final int ENOUGH = 1_000;

    private static final int QUARTERS = 4;
    /** Where the busiest quarter needs so much more than the calmest, arrivals have a memory, or follow the time of day. */
    private static final double UNEVEN = 1.25;

    /** Of the recommended size: if the bootstraps differ by more, the confidence is not high. */
    private static final double SPREAD = 0.15;

    static Required of(LeaseTrace load, Question question) {
        Required required = new Required(1, 1, 1, 1, 1);
        for (LeaseTrace hour : hours(load)) {
            Required ofHour = ofHour(hour, question);
            required = ofHour.most >= required.most ? ofHour : required;
        }
        return required;
    }

    /**
     * Blocks that are drawn one by one have lost the memory of arrivals that is longer than a block, so the busiest quarter is
     * one more trace that could have been the whole.
     */
    private static Required ofHour(LeaseTrace hour, Question question) {
        int recorded = Advisor.smallest(hour, question);
        Bootstrap others = new Bootstrap(hour);
        int[] resampled = new int[BOOTSTRAPS];
        for (int seed = 0; seed < BOOTSTRAPS; seed++) {
            resampled[seed] = Advisor.smallest(others.resampled(seed), question);
        }
        int[] quarters = parts(hour, span(hour) / QUARTERS + 1).stream()
                .mapToInt(quarter -> Advisor.smallest(quarter, question))
                .toArray();
        int calmest = Arrays.stream(quarters).min().orElse(recorded);
        int busiest = Arrays.stream(quarters).max().orElse(recorded);
        int most = Math.max(
                Math.max(recorded, busiest), Arrays.stream(resampled).max().orElse(1));
        return new Required(
                most, Math.min(recorded, Arrays.stream(resampled).min().orElse(1)), recorded, calmest, busiest);
    }

    Confidence confidence(Verdict verdict) {
        boolean close = most - least <= Math.max(1, SPREAD * most);
        return close && !uneven() && verdict != Verdict.UNKNOWN ? Confidence.HIGH : Confidence.MEDIUM;
    }

    /**
     * How the size follows from the target, and why no smaller one is recommended.
     *
     * @param jobs connections of jobs, which are added
     */
    String reason(Question question, int jobs) {
        return "Target: 99 % of the requests wait at most "
                + AdviceText.millis(question.waitTarget().toNanos()) + ". The recorded requests needed "
                + Texts.count(recorded, "connection")
                + (most > recorded ? ", parts and random samples of them up to " + most : "")
                + ". With a margin of 8 %" + (jobs == 0 ? "" : " and " + jobs + " for jobs") + ", "
                + (withMargin() + jobs) + " are needed.";
    }

    private boolean uneven() {
        return busiest >= UNEVEN * calmest;
    }

    /** Where the load of a short record says little of the next: the reason; else empty. */
    Optional<String> doubt() {
        return uneven()
                ? Optional.of("The quarters of the record needed from " + calmest + " to " + busiest
                        + " connections: busy periods decide the size. A busier period than the recorded ones needs"
                        + " more. A longer record contains more busy periods.")
                : Optional.empty();
    }

    /** The largest and 8 % more. */
    int withMargin() {
        return (int) Math.ceil(MARGIN * most);
    }

    /** A day's peak must meet the target too, not only the mean of day and night. */
    private static List<LeaseTrace> hours(LeaseTrace load) {
        List<LeaseTrace> hours = span(load) < 2 * HOUR_NANOS ? List.of() : parts(load, HOUR_NANOS);
        return hours.isEmpty() ? List.of(load) : hours;
    }

    private static long span(LeaseTrace load) {
        return load.size == 0 ? 0 : load.arrival[load.size - 1];
    }

    /** Parts of a length that have enough requests, each as a trace that begins with its first one. */
    private static List<LeaseTrace> parts(LeaseTrace load, long nanos) {
        List<LeaseTrace> parts = new ArrayList<>();
        int from = 0;
        for (long part = 0; from < load.size; part++) {
            int to = from;
            while (to < load.size && load.arrival[to] / nanos <= part) {
                to++;
            }
            if (to - from >= ENOUGH) {
                int first = from;
                int[] requests = IntStream.range(from, to).toArray();
                long[] shift = new long[requests.length];
                Arrays.fill(shift, -load.arrival[first]);
                parts.add(load.copy(requests, shift, at -> {
                    int held = load.outer[requests[at]];
                    return held < first ? LeaseTrace.NONE : held - first;
                }));
            }
            from = to;
        }
        return parts;
    }
}
