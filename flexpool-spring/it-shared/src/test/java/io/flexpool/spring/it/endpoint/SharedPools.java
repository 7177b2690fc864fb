// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** One application for the endpoint's tests, reset after each of them, because it starts slowly. */
final class SharedPools implements BeforeAllCallback, AfterEachCallback {
    private static @Nullable RunningPools started;

    @Override
    public void beforeAll(ExtensionContext test) {
        if (started == null) {
            started = RunningPools.start(RunningPools.WRITABLE);
            // Closed by JUnit with its store. A repeated test has a store of its own.
            AutoCloseable end = () -> {
                pools().close();
                started = null;
            };
            test.getRoot().getStore(Namespace.create(SharedPools.class)).put(RunningPools.class, end);
        }
    }

    @Override
    public void afterEach(ExtensionContext test) {
        pools().calm();
    }

    static RunningPools pools() {
        return Objects.requireNonNull(started);
    }
}
