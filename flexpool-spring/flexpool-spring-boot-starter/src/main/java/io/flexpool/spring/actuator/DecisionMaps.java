// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.diagnostics.Decision;
import io.flexpool.internal.shared.Secrets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the sizing controller decided, as plain maps. Names and units are those of the endpoint's other figures. */
final class DecisionMaps {
    /** How many are told if nobody says: the page reads them every second. */
    static final int USUAL = 50;

    private static final String SECONDS = "-seconds";
    private static final double MILLIS = 1e3;

    private DecisionMaps() {}

    /**
     * How many are asked for.
     *
     * @throws IllegalArgumentException naming the value and what is allowed
     */
    static int asked(@Nullable String given) {
        if (given == null) {
            return USUAL;
        }
        if (!given.strip().matches("[0-9]{1,5}")) {
            String shown = given.length() > 50 ? given.substring(0, 50) + "…" : given;
            throw new IllegalArgumentException("decisions = " + shown + ": must be from 0 to 99999");
        }
        return Integer.parseInt(given.strip());
    }

    /** The last of them, oldest first, and how many more the pool remembers. */
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
        shown.put("mode", made.mode().word());
        shown.put("tried", made.tried());
        addVerdict(shown, made);
        shown.put("inputs", inputs(made.inputs()));
        shown.put("text", Secrets.masked(made.explanation()));
        return shown;
    }

    /** What an event tells of it too. */
    static void addVerdict(Map<String, Object> shown, Decision made) {
        shown.put("from", made.from());
        shown.put("to", made.to());
        shown.put("cause", made.cause());
        shown.put("verdict", made.verdict());
        shown.put("outcome", PoolDescription.word(made.outcome().name()));
    }

    /** What is not finite is left out: a load that is too much has no longest wait, and JSON no word for it. */
    private static Map<String, Object> inputs(Map<String, Double> figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        figures.forEach((name, figure) -> {
            if (Double.isFinite(figure)) {
                boolean seconds = name.endsWith(SECONDS);
                String unit = seconds ? name.substring(0, name.length() - SECONDS.length()) + "-millis" : name;
                shown.put(joined(unit), FigureMaps.round(seconds ? figure * MILLIS : figure));
            }
        });
        return shown;
    }

    /** {@code calm-lease-millis} as {@code calmLeaseMillis}. */
    private static String joined(String hyphenated) {
        StringBuilder joined = new StringBuilder();
        for (String word : hyphenated.split("-", -1)) {
            joined.append(
                    joined.isEmpty() || word.isEmpty()
                            ? word
                            : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
        }
        return joined.toString();
    }
}
