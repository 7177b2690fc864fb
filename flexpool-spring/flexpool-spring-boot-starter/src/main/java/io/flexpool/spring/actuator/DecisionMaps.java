// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.diagnostics.Decision;
import io.flexpool.spi.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts sizing decisions to plain maps, with the names and units of the endpoint's other figures. */
final class DecisionMaps {
    /** The default number of decisions; limited, because the page reads them every second. */
    static final int USUAL = 50;

    private DecisionMaps() {}

    /**
     * The requested number of decisions.
     *
     * @throws IllegalArgumentException if the value is invalid; the message has the value and the allowed values
     */
    static int asked(@Nullable String given) {
        return given == null ? USUAL : (int) number("decisions", given, 5);
    }

    /**
     * Parses a number of a request.
     *
     * @throws IllegalArgumentException if the value is invalid; the message has the value and the allowed values
     */
    static long number(String name, String given, int digits) {
        if (!given.strip().matches("[0-9]{1," + digits + "}")) {
            String shown = given.length() > 50 ? given.substring(0, 50) + "…" : given;
            throw new IllegalArgumentException(name + " = " + shown + ": must be from 0 to " + "9".repeat(digits));
        }
        return Long.parseLong(given.strip());
    }

    /** Adds the last decisions, oldest first, and the number of further stored decisions. */
    static void add(Map<String, Object> shown, List<Decision> oldestFirst, int asked) {
        int left = Math.max(0, oldestFirst.size() - asked);
        shown.put(
                "decisions",
                oldestFirst.stream().skip(left).map(DecisionMaps::decision).toList());
        shown.put("decisionsLeftOut", left);
    }

    private static Map<String, Object> decision(Decision made) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("number", made.number());
        shown.put("timeEpochMillis", made.time().toEpochMilli());
        shown.put("mode", made.mode().toString());
        shown.put("tried", made.tried());
        addVerdict(shown, made);
        Map<String, Object> inputs = new LinkedHashMap<>();
        made.inputs().forEach((name, figure) -> inputs.put(name, FigureMaps.round(figure)));
        shown.put("inputs", inputs);
        shown.put("text", Texts.masked(made.explanation()));
        return shown;
    }

    /** Adds the fields that a decision event has too. */
    static void addVerdict(Map<String, Object> shown, Decision made) {
        shown.put("from", made.from());
        shown.put("to", made.to());
        shown.put("cause", made.causeWord());
        shown.put("verdict", made.verdict().toString());
        shown.put("outcome", made.outcome().toString());
    }
}
