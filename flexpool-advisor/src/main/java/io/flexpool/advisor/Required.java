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
 * The sizes with which a load meets a wait target: in each hour, in its quarters, and in four resampled traces.
 *
 * @param most the largest of these sizes
 * @param least the smallest of the decisive hour and its resampled traces
 * @param recorded the size for the recorded requests of the decisive hour
 * @param calmest the size for the quarter of that hour with the smallest need
 * @param busiest the size for the quarter of that hour with the largest need
 */
record Required(int most, int least, int recorded, int calmest, int busiest) {
    private static final int BOOTSTRAPS = 4;
    private static final double MARGIN = 1.08;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** The minimum number of requests of a part: fewer give no usable percentile. */
    private static final int ENOUGH = 1_000;

    private static final int QUARTERS = 4;
    /**
     * The ratio of the busiest to the calmest quarter from which arrivals count as correlated, or as dependent on the
     * time of day.
     */
    private static final double UNEVEN = 1.25;

    /** The share of the recommended size by which the bootstraps may differ for a high confidence. */
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
     * The sizes for one hour. Resampled blocks lose correlations of arrivals that are longer than a block. So the
     * busiest quarter counts as one more possible hour.
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
     * The reason for the size, in sentences.
     *
     * @param jobs the connections of jobs, which are added to the size
     */
    String reason(Question question, int jobs) {
        return "Target: 99 % of the requests wait at most "
                + AdviceText.millis(question.waitTarget().toNanos()) + ". The recorded requests needed "
                + Texts.count(recorded, "connection")
                + (most > recorded ? "; in parts or random samples of the record, requests needed up to " + most : "")
                + ". With a margin of 8 %" + (jobs == 0 ? "" : " and " + jobs + " for long leases (jobs)") + ", "
                + (withMargin() + jobs) + " are needed.";
    }

    private boolean uneven() {
        return busiest >= UNEVEN * calmest;
    }

    /** The reason why this load may not represent the next; empty without one. */
    Optional<String> doubt() {
        return uneven()
                ? Optional.of("The requests of the record's quarters needed from " + calmest + " to " + busiest
                        + " connections: busy periods decide the size. A busier period than the recorded ones needs"
                        + " more. A longer record contains more busy periods.")
                : Optional.empty();
    }

    /** The largest size plus 8 %. */
    int withMargin() {
        return (int) Math.ceil(MARGIN * most);
    }

    /** The load by hour, because a day's peak must meet the target too, not only the mean of day and night. */
    private static List<LeaseTrace> hours(LeaseTrace load) {
        List<LeaseTrace> hours = span(load) < 2 * HOUR_NANOS ? List.of() : parts(load, HOUR_NANOS);
        return hours.isEmpty() ? List.of(load) : hours;
    }

    private static long span(LeaseTrace load) {
        return load.size == 0 ? 0 : load.arrival[load.size - 1];
    }

    /** Parts of a given length with enough requests, each as a separate trace. */
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
