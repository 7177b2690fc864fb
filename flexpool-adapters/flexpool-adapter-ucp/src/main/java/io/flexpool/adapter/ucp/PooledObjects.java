// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Optional;
import oracle.ucp.UniversalPooledConnection;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pooled objects behind UCP's handles. Handles have the non-public method {@code getUPC()}; handles of
 * Oracle's driver have the public method {@code getPooledObject()}. Thread-safe.
 */
final class PooledObjects {
    private static final ClassValue<Optional<MethodHandle>> METHODS = new ClassValue<>() {
        @Override
        protected Optional<MethodHandle> computeValue(Class<?> handle) {
            try {
                for (Class<?> type = handle; type != null; type = type.getSuperclass()) {
                    for (Method method : type.getDeclaredMethods()) {
                        if (method.getReturnType() == UniversalPooledConnection.class
                                && method.getParameterCount() == 0) {
                            return lookedUp(type, method);
                        }
                    }
                }
            } catch (LinkageError classOfAMethodIsAbsent) {
                // Permanently unreadable. A ClassValue stores this result, but would repeat the search after an
                // exception, for each lease of each tick.
                return Optional.empty();
            }
            return Optional.empty();
        }
    };

    private PooledObjects() {}

    private static Optional<MethodHandle> lookedUp(Class<?> type, Method method) {
        try {
            return Optional.of(
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup()).unreflect(method));
        } catch (IllegalAccessException | RuntimeException closedToUs) {
            return Optional.empty();
        }
    }

    /** The pooled object of a handle; null if unreadable. */
    static @Nullable UniversalPooledConnection behind(Connection handle) {
        Optional<MethodHandle> method = METHODS.get(handle.getClass());
        try {
            return method.isEmpty()
                    ? null
                    : (UniversalPooledConnection) method.get().invoke(handle);
        } catch (Throwable notToBeRead) {
            return null;
        }
    }
}
