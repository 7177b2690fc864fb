// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.Advice.Load;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Words advice as one paragraph. */
final class AdviceText {
    private static final double NANOS_PER_MS = 1e6;
    private static final double NOTICED = 0.005;

    private AdviceText() {}

    static String of(Advice advice) {
        List<String> sentences = new ArrayList<>();
        Load load = advice.load();
        sentences.add("In " + span(load.span()) + " the demand was at most "
                + Texts.count(load.demandMax(), "connection") + " (p99 "
                + load.demandP99() + ").");
        if (advice.verdict() != Verdict.UNKNOWN) {
            sentences.add(waits(advice));
        }
        sentences.add(verdict(advice));
        sentences.add("Confidence " + advice.confidence().name().toLowerCase(Locale.ROOT) + ": "
                + number(load.requests())
                + (load.timedOut() == 0
                        ? " leases, no timeouts."
                        : " requests, " + number(load.timedOut()) + " of them timed out."));
        sentences.addAll(advice.notes());
        advice.classes().forEach(each -> sentences.add(each.text()));
        return String.join(" ", sentences);
    }

    /** The waits with the recommended size, its neighbours, the current size, and the largest size with timeouts. */
    private static String waits(Advice advice) {
        int best = advice.connections();
        Set<Integer> sizes = new TreeSet<>(advice.question().also());
        sizes.addAll(List.of(best - 1, best, best + 1, advice.question().current()));
        advice.curve().stream()
                .filter(point -> point.connections() < best - 1 && point.timedOut() >= NOTICED)
                .map(SizePoint::connections)
                .reduce((smaller, larger) -> larger)
                .ifPresent(sizes::add);
        return sizes.stream()
                .flatMap(size -> point(advice, size).stream())
                .map(point -> wait(point, advice))
                .collect(Collectors.joining(", ", "p99 wait: ", "."));
    }

    private static Optional<SizePoint> point(Advice advice, int size) {
        return advice.curve().stream()
                .filter(point -> point.connections() == size)
                .findFirst();
    }

    private static String wait(SizePoint point, Advice advice) {
        String size = " with " + point.connections() + (point.connections() == 1 ? " connection" : " connections");
        if (point.timedOut() >= NOTICED) {
            return Math.round(100 * point.timedOut()) + " % timeouts" + size;
        }
        boolean timesOut = point.p99Nanos() >= advice.question().timeout().toNanos();
        return (timesOut ? "timeouts" : millis(point.p99Nanos())) + size;
    }

    private static String verdict(Advice advice) {
        int current = advice.question().current();
        return switch (advice.verdict()) {
            case FEWER ->
                "The pool has " + Texts.count(current, "connection") + ": " + advice.connections()
                        + " would be enough.";
            case KEEP -> "The pool has " + Texts.count(current, "connection") + ", which is right.";
            case MORE ->
                "The pool has " + Texts.count(current, "connection") + ": it needs " + advice.connections() + ".";
            case UNKNOWN -> doNotAdd(current);
            case DATABASE ->
                advice.question().knee().isEmpty()
                        ? doNotAdd(current)
                        : "The pool has " + Texts.count(current, "connection") + ": with more than "
                                + advice.connections() + " connections the database's throughput does not rise.";
        };
    }

    private static String doNotAdd(int current) {
        return "The pool has " + Texts.count(current, "connection") + "; do not add connections on this evidence.";
    }

    static String millis(long nanos) {
        double ms = nanos / NANOS_PER_MS;
        return (ms >= 10 ? Long.toString(Math.round(ms)) : decimal(ms)) + " ms";
    }

    static String decimal(double value) {
        return String.format(Locale.ROOT, value >= 1 || value == 0 ? "%.1f" : "%.2f", value);
    }

    static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A number of things, for example {@code 1 request} or {@code 1,204 requests}. */
    static String number(long value, String noun) {
        return number(value) + " " + noun + (value == 1 ? "" : "s");
    }

    /** The time in words, in the largest unit that gives at least 2. */
    static String span(Duration span) {
        if (span.toDays() >= 2) {
            return span.toDays() + " days";
        }
        if (span.toHours() >= 2) {
            return span.toHours() + " h";
        }
        return span.toMinutes() >= 2 ? span.toMinutes() + " min" : Math.max(1, span.toSeconds()) + " s";
    }
}
