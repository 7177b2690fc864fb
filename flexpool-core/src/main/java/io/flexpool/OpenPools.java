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

/** All wrapped pools of this class loader, for frameworks, tools and tests; applications need none of it. Thread-safe. */
public final class OpenPools {
    private OpenPools() {}

    /**
     * The pools that are wrapped and not closed.
     *
     * @return in the order in which they were built; without those that are disabled; a copy, immutable
     */
    public static List<FlexPoolDataSource> list() {
        return PoolRegistry.open().stream().map(FlexPoolDataSource.class::cast).toList();
    }

    /**
     * Passes on every pool that is wrapped from now on, before its builder returns it. Called on the thread that
     * builds; an exception ends the build.
     *
     * @param listener called with the wrapped pool; not with one that is disabled
     * @return ends it
     */
    public static Registration whenBuilt(Consumer<FlexPoolDataSource> listener) {
        Consumer<FlexPoolDataSource> given = Objects.requireNonNull(listener, "listener is null");
        Runnable end = PoolRegistry.whenBuilt(pool -> given.accept((FlexPoolDataSource) pool));
        return end::run;
    }

    /**
     * Makes known that an application keeps persistence contexts open until its views are rendered ("open session in view"), by an
     * interceptor, which is on no thread's stack: a connection that is held during the dispatch of an HTTP request and outside of
     * a transaction is explained by that from now on. For the integration of a framework.
     *
     * @return ends it
     */
    public static Registration viewsStayOpen() {
        return OpenInView.begin()::run;
    }

    /**
     * Ends flexpool's monitoring of a pool as {@link FlexPoolDataSource#close()} does, but leaves the pool open and restores its
     * own sizes: for a framework that closes its pools itself. Open leases stay usable. New requests are refused, and leases are
     * awaited before, as in {@link FlexPoolDataSource#drain}. Only the first end of a pool has an effect.
     *
     * @param pool the pool
     * @param within how long to wait for leases at most, longer than zero; null for {@code drain.within}, without which it waits for
     *     nothing
     * @return how many leases and waiting requests were left after a wait for a given time; else 0
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
     * @return {@code drain.within}; empty if it waits for nothing
     */
    public static Optional<Duration> drainWithin(FlexPoolDataSource pool) {
        return Optional.ofNullable(Objects.requireNonNull(pool, "pool is null").drainWithin());
    }

    /** Something that was registered and can be ended. Thread-safe. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends it. Closing twice does nothing. */
        @Override
        void close();
    }
}
