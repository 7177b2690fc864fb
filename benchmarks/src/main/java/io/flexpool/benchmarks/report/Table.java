// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.List;

/**
 * Figures for readers.
 *
 * @param title what it shows; empty where that is clear
 * @param columns the heads, with units
 * @param rows as many cells each as there are columns; an empty cell is a figure that does not exist
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {
    /**
     * The same for a screen and for Markdown.
     *
     * @return without the title
     */
    public TextTable text() {
        return new TextTable(columns, rows);
    }
}
