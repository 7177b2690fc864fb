// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application whose keys are wrong does not start, and says all of what is wrong. */
class RefusedKeysTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withEmptyApplication()
            .withConfiguration("""
                    quarkus.devservices.enabled=false
                    quarkus.http.test-port=0
                    quarkus.otel.sdk.disabled=true
                    quarkus.datasource.orders.db-kind=postgresql
                    quarkus.datasource.orders.jdbc.url=jdbc:postgresql://127.0.0.1:1/orders
                    quarkus.flexpool.ceilin=8
                    quarkus.flexpool.mode=adaptt
                    quarkus.flexpool.name=mine
                    quarkus.flexpool.pools.ordrs.base=2
                    """)
            .assertException(refused -> assertThat(innermost(refused))
                    .hasMessageContainingAll(
                            "quarkus.flexpool.ceilin = 8",
                            "quarkus.flexpool.ceiling",
                            "quarkus.flexpool.mode = adaptt",
                            "recommend",
                            "quarkus.flexpool.name = mine: pools have the names of their datasources",
                            "quarkus.flexpool.pools.ordrs.base = 2: no such datasource; the datasources are",
                            "the nearest is orders"));

    private static Throwable innermost(Throwable failure) {
        return failure.getCause() == null ? failure : innermost(failure.getCause());
    }

    @Test
    void wrongKeysAreRefused() {
        fail("the application started");
    }
}
