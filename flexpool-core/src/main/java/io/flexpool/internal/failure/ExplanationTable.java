// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.internal.shared.PlainText;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of an explanation: a headline, then labelled lines, at most {@value #MOST_LINES} together, as in
 * docs/how-to/pool-exhausted.md.
 *
 * <p>Foreign text never begins a line: it follows a label.
 */
final class ExplanationTable {
    static final int MOST_LINES = 12;
    /** Clauses share a line up to this width; a longer clause has a separate line. */
    private static final int WIDTH = 110;

    private static final int LABEL = 9;
    private static final String INDENT = "  ";
    private static final String NEXT = "\n" + INDENT;
    /** Precedes a line that continues the label of the line above. */
    private static final String SAME = NEXT + " ".repeat(LABEL);

    private final StringBuilder text;

    ExplanationTable(String headline) {
        this.text = new StringBuilder(1024).append(PlainText.line(headline));
    }

    /** Clauses under a label in at most {@code most} lines; the last has the rest. No text without clauses. */
    ExplanationTable clauses(String label, List<String> clauses, int most) {
        List<String> lines = new ArrayList<>();
        for (String clause : clauses) {
            int last = lines.size() - 1;
            boolean fits = last >= 0 && lines.get(last).length() + clause.length() + 2 <= WIDTH;
            if (fits || lines.size() == most) {
                lines.set(last, lines.get(last) + "; " + clause);
            } else {
                lines.add(clause);
            }
        }
        return lines(label, lines);
    }

    /** Lines under one label; nothing without lines. */
    ExplanationTable lines(String label, List<String> lines) {
        String before = NEXT + label + " ".repeat(LABEL - label.length());
        for (String line : lines) {
            text.append(before).append(PlainText.line(line));
            before = SAME;
        }
        return this;
    }

    /** Rows of cells as lines, each column as wide as its widest cell. */
    static List<String> aligned(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(one -> at < one.size() - 1 ? one.get(at).length() : 0)
                        .max()
                        .orElse(0);
                String cell = row.get(column);
                line.append(cell);
                if (column < row.size() - 1) {
                    line.append(" ".repeat(width - cell.length() + 2));
                }
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** A table without its headline, from the line break on. */
    static String rows(String table) {
        return table.substring(table.indexOf('\n'));
    }

    /** The table on one line, for readers of single log lines: {@code headline | cause: …; … | holders: …}. */
    static String oneLine(String table) {
        StringBuilder line = new StringBuilder(table.length());
        for (String each : table.split("\n", -1)) {
            if (line.length() == 0) {
                line.append(each);
            } else if (each.startsWith(INDENT + " ".repeat(LABEL))) {
                line.append("; ").append(each.strip());
            } else {
                String label =
                        each.substring(INDENT.length(), INDENT.length() + LABEL).strip();
                line.append(" | ").append(label).append(": ").append(each.substring(INDENT.length() + LABEL));
            }
        }
        return line.toString();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
