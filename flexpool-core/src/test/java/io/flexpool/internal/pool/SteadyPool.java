// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.Ticker;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A wrapped data source that gives the same connection to everybody at once, on a clock of its own. Writes nothing. */
final class SteadyPool {
    /** Static, so that the clock is none of a pool's words. */
    private static final AtomicLong NOW = new AtomicLong();

    private static volatile long step = 1000;

    private static final Connection CONNECTION = proxy(Connection.class, SteadyPool::answer);

    private SteadyPool() {}

    /**
     * A bound pool.
     *
     * @param base its limit; 0 if it is only watched
     */
    static FlexPoolDataSource of(String name, int base) {
        return of(name, base, null);
    }

    /** The same, with classes if there are any. */
    static FlexPoolDataSource of(String name, int base, @Nullable String classes) {
        DataSource source = proxy(DataSource.class, SteadyPool::answer);
        Ticker ticker = () -> NOW.addAndGet(step);
        FlexPoolBuilder builder = FlexPool.wrap(source).name(name).framework(settings -> settings.ticker(ticker));
        if (classes != null) {
            builder.set("classes", classes);
        }
        return base == 0
                ? builder.build()
                : builder.set("base", base)
                        .set("acquisition-timeout", Duration.ofSeconds(5))
                        .build();
    }

    /** By how many nanoseconds the clock advances when it is read. */
    static void step(long nanos) {
        step = nanos;
    }

    private static @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "getConnection" -> CONNECTION;
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> arguments != null && proxy == arguments[0];
            case "toString" -> "steady";
            case "isWrapperFor", "isClosed" -> false;
            default -> null;
        };
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
