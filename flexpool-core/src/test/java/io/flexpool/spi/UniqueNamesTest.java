// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UniqueNamesTest {
    private final UniqueNames names = new UniqueNames();

    @Test
    void takenNamesAreNumbered() {
        assertThat(names.take("orders")).isEqualTo("orders");
        assertThat(names.take("orders")).isEqualTo("orders#2");
        assertThat(names.take("orders")).isEqualTo("orders#3");
        assertThat(names.take("stock")).isEqualTo("stock");
    }

    @Test
    void aFreedNameIsTakenFirst() {
        names.take("orders");
        names.take("orders");
        names.take("orders");
        names.free("orders#2");
        assertThat(names.take("orders")).isEqualTo("orders#2");
        names.free("orders");
        assertThat(names.take("orders")).isEqualTo("orders");
    }

    @Test
    void aNumberedNameIsADistinctName() {
        names.take("orders#2");
        names.take("orders");
        assertThat(names.take("orders")).isEqualTo("orders#3");
        assertThat(names.take("orders#2")).isEqualTo("orders#2#2");
    }

    @Test
    void theFirstResultCounts() {
        List<String> there = List.of("orders", "orders#2");
        assertThat(UniqueNames.<Integer>first("orders", name -> there.contains(name) ? null : name.length()))
                .isEqualTo("orders#3".length());
    }
}
