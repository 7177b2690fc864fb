// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * What one run of a scenario leaves behind, for people; the JSON file has the record itself. There are two kinds:
 * a {@link ScenarioResult}, of which a page can be made, and records with fields of their own, which are
 * published and which programs read.
 */
public interface Report {
    /**
     * Which run it was.
     *
     * @return lines above the notes on a screen
     */
    default List<String> head() {
        return List.of();
    }

    /**
     * Where and how it was measured.
     *
     * @return lines above the tables
     */
    List<String> notes();

    /**
     * The figures.
     *
     * @return one or more; rows are variants and loads
     */
    List<Table> tables();

    /**
     * What the figures had to be, and whether they were.
     *
     * @return sentences below the tables, by heading; none where no goal is about what was run
     */
    Map<String, List<String>> goals();

    /**
     * For people at a terminal.
     *
     * @param out where to
     */
    default void print(PrintWriter out) {
        out.println();
        head().forEach(out::println);
        notes().forEach(out::println);
        for (Table table : tables()) {
            out.println();
            if (!table.title().isEmpty()) {
                out.println(table.title());
            }
            table.text().print(out);
        }
        goals().forEach((heading, sentences) -> {
            out.println();
            out.println(heading + ":");
            sentences.forEach(out::println);
        });
        out.flush();
    }

    /**
     * The figures as a page has room for them.
     *
     * @return all tables, unless a scenario has shorter ones
     */
    default List<Table> pageTables() {
        return tables();
    }

    /**
     * The goals as a page has room for them.
     *
     * @return all sentences, unless a scenario has fewer
     */
    default Map<String, List<String>> pageGoals() {
        return goals();
    }

    /**
     * For a page like results/performance.md.
     *
     * @return notes, tables and goals in Markdown
     */
    default String markdown() {
        StringBuilder page = new StringBuilder();
        notes().forEach(note -> page.append(note).append("  \n"));
        for (Table table : pageTables()) {
            page.append(table.title().isEmpty() ? "" : "\n" + table.title() + ":\n")
                    .append('\n')
                    .append(table.text().markdown());
        }
        pageGoals().forEach((heading, sentences) -> {
            page.append('\n').append(heading).append(":\n\n");
            sentences.forEach(sentence -> page.append("- ").append(sentence).append('\n'));
        });
        return page.toString();
    }

    /**
     * One goal in words.
     *
     * @param goal what was aimed at
     * @param met whether it was reached
     * @param figures that decided it
     * @return all in one
     */
    static String judged(String goal, boolean met, String figures) {
        return goal + ": " + (met ? "met" : "missed") + " (" + figures + ")";
    }

    /** What the JSON file has. */
    default Object json() {
        return this;
    }
}
