// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of a table, each with its head beside what stands below it. Immutable.
 *
 * @param <R> what a row is of
 */
public final class Columns<R> {
    private final List<Column<R>> columns;

    private record Column<R>(String head, Function<R, String> cell) {}

    private Columns(List<Column<R>> columns) {
        this.columns = columns;
    }

    /**
     * A first column.
     *
     * @param head with the unit
     * @param cell makes the text of a row's cell, never null
     * @param <R> what a row is of
     * @return one column
     */
    public static <R> Columns<R> of(String head, Function<R, String> cell) {
        return new Columns<R>(List.of()).and(head, cell);
    }

    /**
     * One more column to the right.
     *
     * @param head with the unit
     * @param cell makes the text of a row's cell, never null
     * @return the columns with the new one
     */
    public Columns<R> and(String head, Function<R, String> cell) {
        return new Columns<>(Stream.concat(columns.stream(), Stream.of(new Column<>(head, cell)))
                .toList());
    }

    /**
     * A table with these columns.
     *
     * @param title what it shows
     * @param rows from top to bottom
     * @return as many rows as were given
     */
    public Table table(String title, List<? extends R> rows) {
        return new Table(
                title,
                columns.stream().map(Column::head).toList(),
                rows.stream()
                        .map(row -> columns.stream()
                                .map(one -> one.cell().apply(row))
                                .toList())
                        .toList());
    }
}
