// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.agroal.api.AgroalDataSource;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a datasource when Quarkus has created the pool, before OpenTelemetry wraps it: so OpenTelemetry's spans include
 * the waits in flexpool, and flexpool reads the figures of the pool itself. Thread-safe.
 */
@WrapsPools
@Interceptor
@Priority(Interceptor.Priority.LIBRARY_BEFORE)
public class WrappingInterceptor {
    /** The datasource that this thread is creating; removed afterwards. */
    private static final ThreadLocal<@Nullable Birth> CURRENT = new ThreadLocal<>();

    private final PoolWrapping wrapping;

    @Inject
    WrappingInterceptor(PoolWrapping wrapping) {
        this.wrapping = wrapping;
    }

    private static final class Birth {
        private final String name;
        private boolean wrapped;

        Birth(String name) {
            this.name = name;
        }
    }

    @AroundInvoke
    @Nullable
    Object around(InvocationContext call) throws Exception {
        Object[] given = call.getParameters();
        if (given[0] instanceof AgroalDataSource pool) {
            Birth birth = CURRENT.get();
            if (birth != null && !birth.wrapped) {
                birth.wrapped = true;
                call.setParameters(new Object[] {wrapping.wrap(birth.name, pool)});
            }
            return call.proceed();
        }
        return made(call, new Birth(String.valueOf(given[0])));
    }

    private @Nullable Object made(InvocationContext call, Birth birth) throws Exception {
        Birth outer = CURRENT.get();
        CURRENT.set(birth);
        try {
            Object made = call.proceed();
            return !birth.wrapped && made instanceof AgroalDataSource pool ? wrapping.wrap(birth.name, pool) : made;
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
