// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.advice.PoolHistory;
import io.flexpool.advice.PoolHistory.Interval;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts the last hour to plain maps with one list for each figure: otherwise names would be most of the response.
 * Omits figures that the pool does not report, and outcomes without requests.
 */
final class HistoryMaps {
    private HistoryMaps() {}

    /**
     * The second from which the history is requested; null for none.
     *
     * @throws IllegalArgumentException if the value is invalid; the message has the value and the allowed values
     */
    static @Nullable Duration asked(@Nullable String given) {
        return given == null ? null : Duration.ofSeconds(DecisionMaps.number("history", given, 10));
    }

    /** The history; empty for a disabled pool, and for one that has just begun. */
    static Map<String, Object> of(Optional<PoolHistory> history, Duration since, long nowMillis) {
        Map<String, Object> shown = new LinkedHashMap<>();
        // Converted by the current clock, also for intervals from before the clock was set.
        shown.put(
                "startEpochMillis",
                nowMillis
                        - history.map(PoolHistory::lived).orElse(Duration.ZERO).toMillis());
        List<Object> parts = new ArrayList<>();
        List<Interval> all = history.map(past -> past.intervals(since)).orElse(List.of());
        for (int from = 0, to = 1; from < all.size(); to++) {
            if (to == all.size() || !all.get(to).length().equals(all.get(from).length())) {
                parts.add(part(all.subList(from, to)));
                from = to;
            }
        }
        shown.put("parts", parts);
        return shown;
    }

    /** Intervals of one length. */
    private static Map<String, Object> part(List<Interval> intervals) {
        Map<String, Object> shown = new LinkedHashMap<>();
        Interval first = intervals.get(0);
        shown.put("firstSecond", first.begin().toSeconds());
        shown.put("seconds", first.length().toSeconds());
        putSampled(shown, "active", intervals, Interval::active);
        putSampled(shown, "idle", intervals, Interval::idle);
        putSampled(shown, "pending", intervals, Interval::pending);
        putSampled(shown, "limit", intervals, Interval::limit);
        putSampled(shown, "max", intervals, Interval::max);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            Integer[] ended = column(intervals, interval -> interval.acquisitions(outcome));
            if (Arrays.stream(ended).anyMatch(count -> count != null && count > 0)) {
                shown.put(outcome.label(), Arrays.asList(ended));
            }
        }
        return shown;
    }

    private static void putSampled(
            Map<String, Object> shown, String key, List<Interval> intervals, ToIntFunction<Interval> figure) {
        Integer[] sampled = column(intervals, figure);
        if (Arrays.stream(sampled).anyMatch(value -> value != null)) {
            shown.put(key, Arrays.asList(sampled));
        }
    }

    /** One value for each interval from the first to the last; null for a missing interval. */
    private static @Nullable Integer[] column(List<Interval> intervals, ToIntFunction<Interval> figure) {
        Interval first = intervals.get(0);
        long seconds = first.length().toSeconds();
        int[] places = intervals.stream()
                .mapToInt(one -> (int) (one.begin().minus(first.begin()).toSeconds() / seconds))
                .toArray();
        @Nullable Integer[] column = new Integer[places[places.length - 1] + 1];
        for (int at = 0; at < places.length; at++) {
            int value = figure.applyAsInt(intervals.get(at));
            column[places[at]] = value == PoolSnapshot.UNKNOWN ? null : value;
        }
        return column;
    }
}
