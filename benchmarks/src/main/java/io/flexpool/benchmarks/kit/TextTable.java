// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** A table for people: columns as wide as their widest cell, numbers to the right, words to the left. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Of texts.
     *
     * @param headings one per column
     * @param cells of each row, as many as there are columns
     */
    public TextTable(List<String> headings, List<List<String>> cells) {
        rows.add(headings);
        rows.addAll(cells);
    }

    /**
     * A number with a fixed number of decimals, the same on every machine.
     *
     * @param value the number; NaN where there is none
     * @param decimals digits after the point
     * @return the cell
     */
    public static String number(double value, int decimals) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /**
     * Prints heading and rows.
     *
     * @param out where to
     */
    public void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int at = 0; at < widths.length; at++) {
                widths[at] = Math.max(widths[at], row.get(at).length());
            }
        }
        for (List<String> row : rows) {
            StringJoiner line = new StringJoiner("  ");
            for (int at = 0; at < widths.length; at++) {
                line.add(cell(row, at, widths[at]));
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }

    /**
     * The same for a Markdown page.
     *
     * @return heading and rows, each ended by a line feed
     */
    public String markdown() {
        StringBuilder page = new StringBuilder(line(rows.get(0)));
        page.append('|');
        for (int at = 0; at < rows.get(0).size(); at++) {
            page.append(isNumeric(at) ? "---:|" : "---|");
        }
        page.append('\n');
        rows.stream().skip(1).map(TextTable::line).forEach(page::append);
        return page.toString();
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
    }

    private String cell(List<String> row, int at, int width) {
        return String.format(Locale.ROOT, (isNumeric(at) ? "%" : "%-") + width + "s", row.get(at));
    }

    /** A column is aligned by its last row with something in it; that of an empty one is the heading. */
    private boolean isNumeric(int at) {
        String last = "";
        for (int row = rows.size() - 1; last.isEmpty() && row >= 0; row--) {
            last = rows.get(row).get(at);
        }
        return last.equals("-") || (!last.isEmpty() && last.matches("x?[-+]?[0-9.,]+"));
    }
}
