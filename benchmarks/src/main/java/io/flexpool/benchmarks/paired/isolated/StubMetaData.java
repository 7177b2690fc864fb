// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired.isolated;

import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import org.jspecify.annotations.Nullable;

/**
 * What the stub driver tells of itself: its URL, its product and its user, which some of flexpool's peers ask for with
 * each connection, and some pools when they open one. A proxy, because the interface has 180 methods; what its reflection
 * takes is theirs to pay, as it would be with a driver, which asks the server or keeps what it was told.
 */
final class StubMetaData {
    static final DatabaseMetaData INSTANCE = (DatabaseMetaData) Proxy.newProxyInstance(
            StubMetaData.class.getClassLoader(),
            new Class<?>[] {DatabaseMetaData.class},
            (proxy, method, arguments) -> answer(method.getName()));

    private StubMetaData() {}

    private static @Nullable Object answer(String method) {
        return switch (method) {
            case "getURL" -> "jdbc:stub://127.0.0.1/stub";
            case "getDatabaseProductName", "getDriverName", "getUserName" -> "stub";
            case "getDatabaseProductVersion", "getDriverVersion" -> "1";
            case "getMaxConnections" -> 0;
            case "toString" -> "the stub driver";
            default -> throw new UnsupportedOperationException("not part of the cycle: " + method);
        };
    }
}
