// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.List;

/**
 * Figures for readers.
 *
 * @param title what it shows
 * @param columns the heads, with units
 * @param rows as many cells each as there are columns; an empty cell is a figure that does not exist
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {}
