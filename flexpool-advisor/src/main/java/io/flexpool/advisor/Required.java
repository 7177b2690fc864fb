// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice.Confidence;
import io.flexpool.advice.SizeAdvice.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The sizes with which a load meets a wait target, in each hour and in four other traces that the same process could have
 * left.
 *
 * @param most the largest of them
 * @param least the smallest, of the hour and the traces that have the largest
 * @param recorded that of the requests as they came, in the hour that has the largest
 */
record Required(int most, int least, int recorded) {
    private static final int BOOTSTRAPS = 4;
    private static final double MARGIN = 1.08;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** In an hour with fewer requests no percentile decides. */
    private static final int ENOUGH_FOR_AN_HOUR = 1_000;

    /** Of the recommended size: if the bootstraps differ by more, the confidence is not high. */
    private static final double SPREAD = 0.15;

    static Required of(LeaseTrace load, Question question) {
        int most = 1;
        int least = Integer.MAX_VALUE;
        int recorded = 1;
        for (LeaseTrace hour : hours(load)) {
            Bootstrap others = new Bootstrap(hour);
            int ofHour = Advisor.smallest(hour, question);
            int[] resampled = new int[BOOTSTRAPS];
            for (int seed = 0; seed < BOOTSTRAPS; seed++) {
                resampled[seed] = Advisor.smallest(others.resampled(seed), question);
            }
            int highest = Math.max(ofHour, Arrays.stream(resampled).max().orElse(1));
            if (highest >= most) {
                most = highest;
                recorded = ofHour;
                least = Math.min(ofHour, Arrays.stream(resampled).min().orElse(1));
            }
        }
        return new Required(most, Math.min(least, most), recorded);
    }

    Confidence confidence(Verdict verdict) {
        boolean close = most - least <= Math.max(1, SPREAD * most);
        return close && verdict != Verdict.UNKNOWN ? Confidence.HIGH : Confidence.MEDIUM;
    }

    /**
     * How the size follows from the target, and why no smaller one is recommended.
     *
     * @param jobs connections of jobs, which are added
     */
    String reason(Question question, int jobs) {
        return "Target: 99 % of the requests wait at most "
                + AdviceText.millis(question.waitTarget().toNanos()) + ". The recorded requests needed " + recorded
                + (most > recorded ? ", other traces of the same process up to " + most : "") + "; with a margin of 8 %"
                + (jobs == 0 ? "" : " and " + jobs + " for jobs") + " that is " + (withMargin() + jobs) + ".";
    }

    /** The largest and 8 % more. */
    int withMargin() {
        return (int) Math.ceil(MARGIN * most);
    }

    /** A day's peak must meet the target too, not only the mean of day and night. */
    private static List<LeaseTrace> hours(LeaseTrace load) {
        long span = load.size == 0 ? 0 : load.arrival[load.size - 1];
        if (span < 2 * HOUR_NANOS) {
            return List.of(load);
        }
        List<LeaseTrace> hours = new ArrayList<>();
        int from = 0;
        for (long hour = 0; from < load.size; hour++) {
            int to = from;
            while (to < load.size && load.arrival[to] / HOUR_NANOS <= hour) {
                to++;
            }
            if (to - from >= ENOUGH_FOR_AN_HOUR) {
                int first = from;
                int[] requests = IntStream.range(from, to).toArray();
                long[] shift = new long[requests.length];
                Arrays.fill(shift, -load.arrival[first]);
                hours.add(load.copy(requests, shift, at -> {
                    int held = load.outer[requests[at]];
                    return held < first ? LeaseTrace.NONE : held - first;
                }));
            }
            from = to;
        }
        return hours.isEmpty() ? List.of(load) : hours;
    }
}
