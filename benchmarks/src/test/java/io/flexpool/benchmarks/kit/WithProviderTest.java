// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerViewProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class WithProviderTest {
    @Test
    void postgresIsAnnouncedUntilTheEnd() {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        String product = WithProvider.announced(() -> {
            assertThat(Thread.currentThread().getContextClassLoader()).isNotSameAs(before);
            return ServiceLoader.load(ServerViewProvider.class)
                    .findFirst()
                    .map(ServerViewProvider::product)
                    .orElse("none");
        });
        assertThat(product).isEqualTo("PostgreSQL");
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
    }
}
