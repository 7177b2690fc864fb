// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A selector of a PromQL expression: the selected series, and whether it takes their increase.
 *
 * @param name the series' name
 * @param matchers the conditions for their labels
 * @param range whether it has a range, as rate() and increase() need
 */
record Selector(String name, List<LabelMatcher> matchers, boolean range) {
    /** Label lists name no series. */
    private static final Pattern LABELS = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");

    private static final Pattern SELECTOR =
            Pattern.compile("(?<![\\w\\[$])([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\{[^}]*})?\\s*(\\[[^\\]]*])?(\\s*\\()?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool");

    /** One condition for a label. */
    record LabelMatcher(String label, String operator, String value) {
        boolean matches(String given) {
            return switch (operator) {
                case "=" -> given.equals(value);
                case "!=" -> !given.equals(value);
                case "=~" -> given.matches(value);
                default -> !given.matches(value);
            };
        }
    }

    /** All selectors of an expression. */
    static List<Selector> of(String expression) {
        List<Selector> selectors = new ArrayList<>();
        Matcher found = SELECTOR.matcher(LABELS.matcher(expression).replaceAll(" "));
        while (found.find()) {
            boolean function = found.group(4) != null;
            if (!function && !OPERATORS.contains(found.group(1))) {
                selectors.add(new Selector(found.group(1), matchers(found.group(2)), found.group(3) != null));
            }
        }
        return selectors;
    }

    private static List<LabelMatcher> matchers(@Nullable String inBraces) {
        if (inBraces == null) {
            return List.of();
        }
        return MATCHER.matcher(inBraces)
                .results()
                .map(found -> new LabelMatcher(found.group(1), found.group(2), found.group(3)))
                .toList();
    }

    /** The labels by which an expression groups or matches series. */
    static Set<String> listedLabels(String expression) {
        return LABELS.matcher(expression)
                .results()
                .flatMap(found -> Pattern.compile("\\s*,\\s*")
                        .splitAsStream(found.group(1).strip()))
                .filter(label -> !label.isEmpty())
                .collect(Collectors.toSet());
    }

    /** The labels that the series of this name have in a scrape. */
    Set<String> labelsIn(Scrape scrape) {
        return scrape.samples().stream()
                .filter(sample -> sample.name().equals(name))
                .flatMap(sample -> sample.labels().keySet().stream())
                .collect(Collectors.toSet());
    }

    /** The labels of a selector that is a series. */
    Map<String, String> exactLabels() {
        return matchers.stream().collect(Collectors.toMap(LabelMatcher::label, LabelMatcher::value));
    }

    /** Whether a scrape contains the selected series. */
    boolean isIn(Scrape scrape) {
        return scrape.samples().stream()
                .filter(sample -> sample.name().equals(name))
                .anyMatch(sample -> matchers.stream().allMatch(matcher -> {
                    String given = sample.labels().get(matcher.label());
                    // For Prometheus a missing label is empty; here it is a mistake.
                    return given != null && matcher.matches(given);
                }));
    }
}
