// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import org.jspecify.annotations.Nullable;

/** Names the setting by which an application leases connections only at the first statement. */
final class LazyFetch {
    /**
     * The class by which Spring Boot, from 4.1, supports the key. Found as a resource, so that the class is not loaded.
     */
    private static final String HAS_KEY =
            "org/springframework/boot/jdbc/autoconfigure/LazyConnectionDataSourceConfiguration.class";

    private LazyFetch() {}

    /** The setting as the subject of a sentence, for an application whose pool has this class loader. */
    static String of(@Nullable ClassLoader ofPool) {
        return has(ofPool) || has(Thread.currentThread().getContextClassLoader())
                ? "spring.datasource.connection-fetch = lazy"
                : "a lazy connection proxy (LazyConnectionDataSourceProxy)";
    }

    private static boolean has(@Nullable ClassLoader loader) {
        return loader != null && loader.getResource(HAS_KEY) != null;
    }
}
