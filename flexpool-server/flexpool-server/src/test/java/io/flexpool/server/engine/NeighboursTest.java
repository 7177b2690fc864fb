// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of which server a URL is. */
class NeighboursTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost:5432/orders",
                "jdbc:postgresql://LOCALHOST/orders?ssl=true",
                "jdbc:postgresql://127.0.0.1:5432/orders",
                "jdbc:postgresql://127.0.0.1/orders",
                "jdbc:postgresql://[::1]:5432/billing",
                "jdbc:postgresql://[::1]/billing",
                "jdbc:postgresql://[0:0:0:0:0:0:0:1]/billing",
                "jdbc:postgresql:///orders",
                "jdbc:postgresql:orders",
                "jdbc:postgresql:/"
            })
    void allNamesOfTheLoopbackAddressAreOneServer(String url) {
        assertThat(Neighbours.server(url)).isEqualTo("localhost:5432");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://localhost/orders",
                "jdbc:mysql://127.0.0.1:3306/orders",
                "jdbc:mariadb://[::1]/orders",
                "jdbc:mysql:///orders"
            })
    void aPortThatIsLeftOutIsTheDefaultOne(String url) {
        assertThat(Neighbours.server(url)).isEqualTo("localhost:3306");
    }

    @Test
    void anotherHostOrPortIsAnotherServer() {
        assertThat(Neighbours.server("jdbc:postgresql://db1/orders")).isEqualTo("db1:5432");
        assertThat(Neighbours.server("jdbc:postgresql://user@DB1:5433/orders")).isEqualTo("db1:5433");
        assertThat(Neighbours.server("jdbc:postgresql://localhost:5433/orders")).isEqualTo("localhost:5433");
        assertThat(Neighbours.server("jdbc:postgresql://[2001:db8::1]/orders")).isEqualTo("[2001:db8::1]:5432");
        assertThat(Neighbours.server("jdbc:other://db1/orders")).isEqualTo("db1");
    }

    @Test
    void severalHostsOrNoneAreNoServer() {
        assertThat(Neighbours.server("jdbc:postgresql://db1,db2/orders")).isNull();
        assertThat(Neighbours.server("jdbc:h2:mem:orders")).isNull();
        assertThat(Neighbours.server("nothing")).isNull();
    }
}
