// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import io.flexpool.session.internal.sql.Effect.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The labelled statements; the format is described in postgresql.statements. */
final class Labels {
    static final String UNKNOWN = "unknown";

    /** A statement, and what it does, in the words of the file. */
    record Labelled(String label, String expected, String sql) {}

    private Labels() {}

    static List<Labelled> of(String file) throws IOException {
        String text;
        try (InputStream in = Labels.class.getResourceAsStream(file)) {
            text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Labelled> labelled = new ArrayList<>();
        String section = "";
        int number = 0;
        String expected = "";
        List<String> lines = new ArrayList<>();
        for (String line : (text + "## end").split("\n", -1)) {
            boolean begins = line.startsWith("## ") || line.startsWith("== ");
            if (begins && !expected.isEmpty()) {
                while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
                    lines.remove(lines.size() - 1);
                }
                labelled.add(new Labelled(section + " " + ++number, expected, String.join("\n", lines)));
                expected = "";
            }
            if (line.startsWith("## ")) {
                section = line.substring(3);
                number = 0;
            } else if (line.startsWith("== ")) {
                expected = line.substring(3).strip();
                lines.clear();
            } else {
                lines.add(line);
            }
        }
        return labelled;
    }

    /** {@return a verdict in the words of the file} */
    static String words(Verdict verdict, boolean mysql) {
        List<String> steps =
                verdict.steps().stream().map(step -> words(step, mysql)).collect(Collectors.toList());
        if (verdict.unknown()) {
            steps.add(UNKNOWN);
        }
        return steps.isEmpty() ? "harmless" : String.join(" ; ", steps);
    }

    private static String words(Step step, boolean mysql) {
        if (step instanceof Effect effect) {
            String none = effect.sets() && effect.kind() == Kind.SETTING ? "(?)" : "";
            String name = effect.name() == null ? none : "(" + effect.name() + ")";
            String end = effect.untilEnd() ? "~" : effect.undone() || mysql ? "" : "!";
            return (effect.sets() ? "+" : "-") + effect.kind() + name + end;
        }
        TransactionStep control = (TransactionStep) step;
        String word = control.control().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return control.savepoint() == null ? word : word + "(" + control.savepoint() + ")";
    }
}
