// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    @Test
    void aTableHasTheHeadsInOrderAndACellOfEachForEveryRow() {
        Table table = Columns.<Integer>of("n", String::valueOf)
                .and("square", n -> String.valueOf(n * n))
                .and("odd", n -> n % 2 == 1 ? "yes" : "")
                .table("squares", List.of(2, 3));

        assertThat(table)
                .isEqualTo(new Table(
                        "squares",
                        List.of("n", "square", "odd"),
                        List.of(List.of("2", "4", ""), List.of("3", "9", "yes"))));
    }

    @Test
    void columnsAreNotChangedByOneMore() {
        Columns<String> one = Columns.of("word", word -> word);

        assertThat(one.and("length", word -> String.valueOf(word.length()))
                        .table("t", List.of("a"))
                        .columns())
                .hasSize(2);
        assertThat(one.table("t", List.of("a")).columns()).containsExactly("word");
    }
}
