// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.discovery;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * MyBatis' {@code PooledDataSource}: the only known pool without a module that takes a leased connection back, when a
 * request finds all connections leased for longer than {@code poolMaximumCheckoutTime}. The request gets a new handle on
 * the same connection, and the old handle is marked as invalid (from the source of 3.5.19). Thread-safe.
 */
final class OverduePool {
    private static final String POOL = "org.apache.ibatis.datasource.pooled.PooledDataSource";
    private static final String STATE = "org.apache.ibatis.datasource.pooled.PoolState";
    private static final String HANDLE = "org.apache.ibatis.datasource.pooled.PooledConnection";

    private final DataSource pool;
    private final MethodHandle overdueMillis;
    private final MethodHandle most;
    private final MethodHandle state;
    private final MethodHandle leased;
    /** Of the handler behind a handle. Read without its methods, because each of them may ping the database. */
    private final VarHandle valid;

    private OverduePool(DataSource pool, Class<?> type) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodType figure = MethodType.methodType(int.class);
        Class<?> handle = Class.forName(HANDLE, false, type.getClassLoader());
        this.pool = pool;
        this.overdueMillis =
                lookup.findVirtual(type, "getPoolMaximumCheckoutTime", figure).bindTo(pool);
        this.most = lookup.findVirtual(type, "getPoolMaximumActiveConnections", figure)
                .bindTo(pool);
        Class<?> states = Class.forName(STATE, false, type.getClassLoader());
        this.state = lookup.findVirtual(type, "getPoolState", MethodType.methodType(states))
                .bindTo(pool)
                .asType(MethodType.methodType(Object.class));
        this.leased = lookup.findVirtual(states, "getActiveConnectionCount", figure)
                .asType(MethodType.methodType(int.class, Object.class));
        this.valid = MethodHandles.privateLookupIn(handle, MethodHandles.lookup())
                .findVarHandle(handle, "valid", boolean.class);
    }

    /** Null for any other data source, and if MyBatis' fields cannot be read. */
    static @Nullable OverduePool of(DataSource dataSource) {
        for (Class<?> type = dataSource.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals(POOL)) {
                try {
                    return new OverduePool(dataSource, type);
                } catch (ReflectiveOperationException | RuntimeException otherVersion) {
                    return null;
                }
            }
        }
        return null;
    }

    /** Whether a handle was taken back. */
    boolean tookBack(Connection handle) {
        if (!Proxy.isProxyClass(handle.getClass())) {
            return false;
        }
        Object handler = Proxy.getInvocationHandler(handle);
        return valid.coordinateTypes().get(0).isInstance(handler) && !(boolean) valid.getVolatile(handler);
    }

    /** When the next request may have a connection taken back. */
    Optional<Duration> after() {
        int millis = figure(overdueMillis);
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    /** Whether the pool lends no further connection. Waits for a lock that is held while it connects. */
    boolean full() {
        try {
            return (int) leased.invokeExact((Object) state.invokeExact()) >= figure(most);
        } catch (Throwable notThrown) {
            throw unreadable(notThrown);
        }
    }

    private int figure(MethodHandle getter) {
        try {
            return (int) getter.invokeExact();
        } catch (Throwable notThrown) {
            throw unreadable(notThrown);
        }
    }

    private IllegalStateException unreadable(Throwable thrown) {
        return new IllegalStateException(pool.getClass().getName() + " cannot be read", thrown);
    }
}
