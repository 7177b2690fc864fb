// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.RequestScope;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings for all requests that a thread makes to any pool while the scope is open:
 *
 * <pre>{@code
 * try (var scope = PoolScope.of("batch").tenant(id).deadline(Duration.ofMillis(800)).open()) {
 *     …
 * }
 * }</pre>
 *
 * <p>A nested scope replaces the settings that it contains and keeps the other settings of the outer scope; of two
 * deadlines the earlier one counts. Threads, also virtual ones, do not inherit scopes; code that changes threads
 * carries its scopes in an {@link OwnerToken}. Each method returns a copy. Immutable.
 */
public final class PoolScope {
    private final @Nullable String requestClass;
    private final @Nullable String tenant;
    private final @Nullable Duration deadline;

    private PoolScope(@Nullable String requestClass, @Nullable String tenant, @Nullable Duration deadline) {
        this.requestClass = requestClass;
        this.tenant = tenant;
        this.deadline = deadline;
    }

    /**
     * A scope whose requests are of a class. A pool without classes ignores it; in a pool without this class the
     * requests belong to the last class, which is logged once.
     *
     * @param name the name of a class in the key {@code flexpool.classes}
     * @return a scope that has not begun
     */
    public static PoolScope of(String name) {
        return new PoolScope(Objects.requireNonNull(name, "name is null"), null, null);
    }

    /**
     * A scope that does not change the class of its requests, with a {@link #deadline(Duration) deadline}.
     *
     * @param time as in {@link #deadline(Duration)}
     * @return a scope that has not begun
     */
    public static PoolScope within(Duration time) {
        return new PoolScope(null, null, null).deadline(time);
    }

    /**
     * Sets the time after which a connection is useless. From then on a request that waits for a permit of flexpool
     * fails at once, even if it is next. Connections that the scope has leased stay open, and a request without a wait
     * is served.
     *
     * @param time the time from {@link #open} on; zero or less for a deadline that has passed
     * @return this
     */
    public PoolScope deadline(Duration time) {
        return new PoolScope(requestClass, tenant, Objects.requireNonNull(time, "deadline is null"));
    }

    /**
     * Sets the tenant of the requests, such as a customer. While requests of several tenants wait in one class, no
     * tenant gets much more than an equal part of the connections' time, however many requests it makes. Only for pools
     * with classes.
     *
     * @param id any text; a class has 64 hash slots, and tenants in the same slot share one part
     * @return this
     */
    public PoolScope tenant(String id) {
        return new PoolScope(requestClass, Objects.requireNonNull(id, "tenant is null"), deadline);
    }

    /** {@return the scope, open on the calling thread until it is closed} */
    public Opened open() {
        RequestScope scope = RequestScope.open(requestClass, tenant, nanos(deadline));
        return scope::close;
    }

    /** Any time beyond 292 years counts as 292 years. */
    private static long nanos(@Nullable Duration time) {
        return time == null || time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0
                ? Long.MAX_VALUE
                : time.toNanos();
    }

    /** An open scope. Ends when it is closed; further closes have no effect. */
    @FunctionalInterface
    public interface Opened extends AutoCloseable {
        /** Ends the scope. */
        @Override
        void close();
    }
}
