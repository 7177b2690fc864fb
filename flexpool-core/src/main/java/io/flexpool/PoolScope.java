// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.RequestScope;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What holds for all requests that a thread makes while the scope is open, to any pool:
 *
 * <pre>{@code
 * try (var scope = PoolScope.of("batch").tenant(id).deadline(Duration.ofMillis(800)).open()) {
 *     …
 * }
 * }</pre>
 *
 * <p>Of scopes within each other the innermost one counts; what it does not say, the outer one says, and of two deadlines
 * the earlier one counts. Threads do not inherit scopes. On virtual threads the same; code that
 * changes threads takes its scopes along with an {@link OwnerToken}. Each method returns a copy. Immutable.
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
     * A scope whose requests are of a class. A pool without classes takes no notice of it; in a pool that has other classes they are
     * of the last one, which is logged once.
     *
     * @param name one that the key {@code flexpool.classes} names
     * @return a scope that has not begun
     */
    public static PoolScope of(String name) {
        return new PoolScope(Objects.requireNonNull(name, "name is null"), null, null);
    }

    /**
     * A scope whose requests are of whatever class they would be without it, with a {@link #deadline(Duration) deadline}.
     *
     * @param time as in {@link #deadline(Duration)}
     * @return a scope that has not begun
     */
    public static PoolScope within(Duration time) {
        return new PoolScope(null, null, null).deadline(time);
    }

    /**
     * Until when an answer is of use. A request that waits for a permit of flexpool then fails at once, and gets none
     * even if it is next. The connections that the scope has already are not touched, and a request that need not wait is
     * answered.
     *
     * @param time from {@link #open} on; zero or less for a deadline that has passed
     * @return this
     */
    public PoolScope deadline(Duration time) {
        return new PoolScope(requestClass, tenant, Objects.requireNonNull(time, "deadline is null"));
    }

    /**
     * The tenant of the requests, such as a customer. While requests of several tenants wait in one class, none has much more than
     * an equal part of the connections' time, however many requests it makes. Only of a pool with classes.
     *
     * @param id any text; a class has 64 places, and tenants that share one by chance share their part
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

    /** Longer than 292 years is any time. */
    private static long nanos(@Nullable Duration time) {
        return time == null || time.compareTo(Duration.ofNanos(Long.MAX_VALUE / 2)) > 0
                ? Long.MAX_VALUE
                : time.toNanos();
    }

    /** An open scope. Ends when it is closed; further closes do nothing. */
    @FunctionalInterface
    public interface Opened extends AutoCloseable {
        /** Ends the scope. */
        @Override
        void close();
    }
}
