// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.flexpool.cli.Reasons;
import io.flexpool.diagnostics.Explanation.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Formats the result like the explanation of a failed request, and as JSON. */
final class DoctorText {
    private static final int MOST_SITES = 6;
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private DoctorText() {}

    /**
     * A part of the result.
     *
     * @param label the label of the row
     * @param values the sentences, at least one
     */
    record Section(String label, List<String> values) {}

    static String text(Diagnosis.Answer answer) {
        List<String> lines = new ArrayList<>();
        lines.add(headline(answer));
        sections(answer).forEach(each -> add(lines, each.label(), each.values()));
        return Reasons.printable(String.join("\n", lines)) + "\n";
    }

    /** The non-empty parts, in the order of all formats. */
    static List<Section> sections(Diagnosis.Answer answer) {
        String figures = figures(answer.figures());
        return Stream.of(
                        new Section("cause", answer.evidence()),
                        new Section("pool", figures.isEmpty() ? List.of() : List.of(figures)),
                        new Section("holders", sites(answer.sites())),
                        new Section("server", answer.server()),
                        new Section("measured", answer.measured()),
                        new Section("advice", List.of(answer.advice())),
                        new Section("missing", answer.missing()))
                .filter(each -> !each.values().isEmpty())
                .toList();
    }

    static String headline(Diagnosis.Answer answer) {
        String waits = answer.waiting() <= 0
                ? ""
                : answer.waiting() + (answer.waiting() == 1 ? " request waits: " : " requests wait: ");
        return answer.pool() + ": " + waits + words(answer.cause());
    }

    private static String words(@Nullable Cause cause) {
        return cause == null ? "the cause is unknown" : cause.words();
    }

    private static String figures(PoolFigures figures) {
        List<String> parts = new ArrayList<>();
        if (figures.max() >= 0) {
            parts.add("max " + figures.max());
        }
        if (figures.active() >= 0) {
            parts.add("active " + figures.active());
        }
        if (figures.pending() >= 0) {
            parts.add("pending " + figures.pending());
        }
        return String.join(", ", parts);
    }

    private static List<String> sites(Map<String, Integer> sites) {
        List<String> rows = new ArrayList<>();
        sites.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MOST_SITES)
                .forEach(each -> rows.add(each.getValue() + " x " + each.getKey()));
        if (sites.size() > MOST_SITES) {
            rows.add((sites.size() - MOST_SITES) + " more call sites");
        }
        return rows;
    }

    private static void add(List<String> lines, String label, List<String> values) {
        for (int at = 0; at < values.size(); at++) {
            lines.add(String.format(Locale.ROOT, "  %-8s %s", at == 0 ? label : "", values.get(at)));
        }
    }

    static String json(Diagnosis.Answer answer, List<String> problems) {
        ObjectNode root = JSON.createObjectNode();
        root.put("pool", answer.pool());
        root.put(
                "cause",
                answer.cause() == null ? "unknown" : answer.cause().name().toLowerCase(Locale.ROOT));
        root.put("words", words(answer.cause()));
        root.put("waiting", answer.waiting());
        root.put("max", answer.figures().max());
        root.put("active", answer.figures().active());
        answer.evidence().forEach(root.putArray("evidence")::add);
        ObjectNode sites = root.putObject("holders");
        answer.sites().forEach(sites::put);
        answer.server().forEach(root.putArray("server")::add);
        answer.measured().forEach(root.putArray("measured")::add);
        root.put("advice", answer.advice());
        answer.missing().forEach(root.putArray("missing")::add);
        problems.forEach(root.putArray("problems")::add);
        try {
            return JSON.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
