// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.OpenInView;
import io.flexpool.internal.pool.PoolRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All wrapped pools of this class loader, for frameworks, tools and tests, not for applications. Thread-safe. */
public final class OpenPools {
    private OpenPools() {}

    /**
     * The pools that are wrapped and not closed.
     *
     * @return the enabled pools in the order in which they were built; a copy, immutable
     */
    public static List<FlexPoolDataSource> list() {
        return PoolRegistry.open().stream().map(FlexPoolDataSource.class::cast).toList();
    }

    /**
     * Registers a listener for every pool that is wrapped from now on. It is called on the building thread, before the
     * builder returns; an exception ends the build.
     *
     * @param listener called with the wrapped pool, but not with a disabled one
     * @return ends it
     */
    public static Registration whenBuilt(Consumer<FlexPoolDataSource> listener) {
        Consumer<FlexPoolDataSource> given = Objects.requireNonNull(listener, "listener is null");
        Runnable end = PoolRegistry.whenBuilt(pool -> given.accept((FlexPoolDataSource) pool));
        return end::run;
    }

    /**
     * Registers that an application keeps persistence contexts open until its views are rendered ("open session in
     * view"). Its interceptor is on no thread's stack. From now on, explanations name it for a connection that is held
     * during an HTTP request outside a transaction. For integrations of frameworks.
     *
     * @return ends it
     */
    public static Registration viewsStayOpen() {
        return OpenInView.begin()::run;
    }

    /**
     * Ends flexpool's monitoring of a pool like {@link FlexPoolDataSource#close()}, but leaves the pool open and
     * restores its sizes: for a framework that closes its pools itself. First refuses new requests and waits for
     * leases, like {@link FlexPoolDataSource#drain}. Open leases stay usable. Only the first end of a pool has an
     * effect.
     *
     * @param pool the pool
     * @param within the longest wait for leases, longer than zero; null for {@code drain.within}, without which there
     *     is no wait
     * @return the number of leases and waiting requests left after a given wait; otherwise 0
     */
    public static int release(FlexPoolDataSource pool, @Nullable Duration within) {
        Objects.requireNonNull(pool, "pool is null");
        if (within != null) {
            return pool.drainAndRelease(within);
        }
        pool.release();
        return 0;
    }

    /**
     * How long the close of a pool waits for open leases.
     *
     * @param pool the pool
     * @return {@code drain.within}; empty if the close does not wait
     */
    public static Optional<Duration> drainWithin(FlexPoolDataSource pool) {
        return Optional.ofNullable(Objects.requireNonNull(pool, "pool is null").drainWithin());
    }

    /** A registration that can be ended. Thread-safe. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends the registration. Closing twice has no effect. */
        @Override
        void close();
    }
}
