// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The columns of a table, each with its head beside what stands below it. Immutable.
 *
 * @param <R> what a row is of
 */
public final class Columns<R> {
    private final List<Column<R>> columns;

    private record Column<R>(String head, Function<? super R, ?> cell) {}

    private Columns(List<Column<R>> columns) {
        this.columns = columns;
    }

    /**
     * A first column.
     *
     * @param head with the unit
     * @param cell what stands in a row's cell, or whatever has that as its text
     * @param <R> what a row is of
     * @return one column
     */
    public static <R> Columns<R> of(String head, Function<? super R, ?> cell) {
        return new Columns<R>(List.of()).and(head, cell);
    }

    /**
     * One more column to the right.
     *
     * @param head with the unit
     * @param cell what stands in a row's cell, or whatever has that as its text
     * @return the columns with the new one
     */
    public Columns<R> and(String head, Function<? super R, ?> cell) {
        return new Columns<>(Stream.concat(columns.stream(), Stream.of(new Column<R>(head, cell)))
                .toList());
    }

    /**
     * One more column to the right, of numbers.
     *
     * @param head with the unit
     * @param decimals digits after the point
     * @param figure the number in a row's cell; NaN where there is none
     * @return the columns with the new one
     */
    public Columns<R> number(String head, int decimals, ToDoubleFunction<? super R> figure) {
        return and(head, row -> TextTable.number(figure.applyAsDouble(row), decimals));
    }

    /**
     * A table with these columns.
     *
     * @param title what it shows; empty where that is clear
     * @param rows from top to bottom
     * @return as many rows as were given
     */
    public Table table(String title, Collection<? extends R> rows) {
        return new Table(
                title,
                columns.stream().map(Column::head).toList(),
                rows.stream()
                        .map(row -> columns.stream()
                                .map(one -> String.valueOf(one.cell().apply(row)))
                                .toList())
                        .toList());
    }
}
