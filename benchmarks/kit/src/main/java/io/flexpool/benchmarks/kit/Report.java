// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** What a scenario says at its end: the same on the screen and in a Markdown file. */
public interface Report {
    /**
     * Where and how it was measured.
     *
     * @return lines above the table
     */
    List<String> notes();

    /**
     * The figures.
     *
     * @return one row for each variant and load
     */
    TextTable table();

    /**
     * What the figures had to be, and whether they were.
     *
     * @return sentences below the table, by heading; none where no goal is about what was run
     */
    Map<String, List<String>> goals();

    /**
     * For people at a terminal.
     *
     * @param out where to
     */
    default void print(PrintWriter out) {
        out.println();
        notes().forEach(out::println);
        out.println();
        table().print(out);
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
     * @return the table, unless a scenario has a shorter one
     */
    default TextTable pageTable() {
        return table();
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
     * For a page like docs/performance.md.
     *
     * @return notes, table and goals in Markdown
     */
    default String markdown() {
        StringBuilder page = new StringBuilder();
        notes().forEach(note -> page.append(note).append("  \n"));
        page.append('\n').append(pageTable().markdown());
        pageGoals().forEach((heading, sentences) -> {
            page.append('\n').append(heading).append(":\n\n");
            sentences.forEach(sentence -> page.append("- ").append(sentence).append('\n'));
        });
        return page.toString();
    }
}
