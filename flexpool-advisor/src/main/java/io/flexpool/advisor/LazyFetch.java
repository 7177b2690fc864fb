// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import org.jspecify.annotations.Nullable;

/** What makes an application lease connections with the first statement. */
final class LazyFetch {
    /** Spring Boot has the key since 4.1, by this class. It is looked up as a resource, so that nothing is loaded. */
    private static final String HAS_KEY =
            "org/springframework/boot/jdbc/autoconfigure/LazyConnectionDataSourceConfiguration.class";

    private LazyFetch() {}

    /** As the subject of a sentence, for an application whose pool has this class loader. */
    static String of(@Nullable ClassLoader ofPool) {
        return has(ofPool) || has(Thread.currentThread().getContextClassLoader())
                ? "spring.datasource.connection-fetch = lazy"
                : "a lazy connection proxy (LazyConnectionDataSourceProxy)";
    }

    private static boolean has(@Nullable ClassLoader loader) {
        return loader != null && loader.getResource(HAS_KEY) != null;
    }
}
