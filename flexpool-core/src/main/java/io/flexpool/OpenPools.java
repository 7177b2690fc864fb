// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.context.OpenInView;
import io.flexpool.internal.pool.PoolRegistry;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** All wrapped pools of this class loader, for tools and tests. Thread-safe. */
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

    /** Something that was registered and can be ended. Thread-safe. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends it. Closing twice does nothing. */
        @Override
        void close();
    }
}
