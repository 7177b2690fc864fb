// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.Texts;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects when a data source that delegates to others gets new targets at run time: a router with an added tenant, or a
 * proxy with an exchanged pool. Such data sources report no changes, and the application sets unwrapped pools. The
 * thread runs only if such a data source exists. Thread-safe.
 */
final class HolderWatch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    private static final long EVERY_NANOS = 100_000_000;
    /**
     * The number of checks without a pool after which it is gone: during its initialisation a router briefly has no
     * targets.
     */
    private static final int GONE_AFTER = 10;

    private final Wrapping wrapping;
    private final List<Held> all = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

    /**
     * A pool that was wrapped for a holder.
     *
     * @param pool the raw pool
     * @param front the proxy that replaces it
     */
    record Made(DataSource pool, DataSource front) {}

    /** The operations on targets. */
    interface Wrapping {
        /**
         * Wraps the unwrapped targets of a holder.
         *
         * @return the number of new pools
         */
        int wrap(Held held);

        /** The pools that were wrapped for a holder; a copy. */
        List<Made> made(Held held);

        /** Ends flexpool around a pool that is no longer a target. */
        void letGo(Held held, DataSource pool);
    }

    /** A bean that is a data source and delegates to others. */
    static final class Held {
        private final DataSource holder;
        private final String name;
        private final WrapRequest request;
        private Set<DataSource> last = Set.of();
        private final IdentityHashMap<DataSource, Integer> missing = new IdentityHashMap<>();

        /**
         * Takes a holder with wrapped targets.
         *
         * @param holder the bean
         * @param name its name
         * @param request the request of the first wrapping
         */
        Held(DataSource holder, String name, WrapRequest request) {
            this.holder = holder;
            this.name = name;
            this.request = request;
        }

        DataSource holder() {
            return holder;
        }

        String name() {
            return name;
        }

        WrapRequest request() {
            return request;
        }
    }

    HolderWatch(Wrapping wrapping) {
        this.wrapping = wrapping;
    }

    /** Starts to check a holder, whose targets are wrapped. */
    void add(Held held) {
        held.last = targets(held);
        all.add(held);
        start();
    }

    private void start() {
        Thread begun = DaemonThreads.create("flexpool-holders", this::run);
        if (thread.compareAndSet(null, begun)) {
            begun.start();
        }
    }

    /** Stops to check a holder. */
    void remove(Object holder) {
        all.removeIf(held -> held.holder == holder);
    }

    /** Stops to check all holders. */
    void close() {
        all.clear();
        LockSupport.unpark(thread.get());
    }

    private void run() {
        while (!all.isEmpty()) {
            LockSupport.parkNanos(this, EVERY_NANOS);
            for (Held held : all) {
                try {
                    check(held);
                } catch (RuntimeException | LinkageError unreadable) {
                    // The targets are just changing, or the class is the application's own: the next check follows
                    // soon.
                    LOG.debug("{}: the pools behind this data source cannot be read now", held.name, unreadable);
                }
            }
        }
        thread.set(null);
        if (!all.isEmpty()) {
            // A holder was added while this thread was ending.
            start();
        }
    }

    private void check(Held held) {
        Set<DataSource> now = targets(held);
        if (!now.equals(held.last)) {
            int wrapped = wrapping.wrap(held);
            now = targets(held);
            LOG.info(
                    "{}: the pools behind this data source have changed: {} wrapped",
                    held.name,
                    Texts.count(wrapped, "new pool"));
            held.last = now;
        }
        forgetGone(held);
    }

    private void forgetGone(Held held) {
        for (Made made : wrapping.made(held)) {
            DataSource pool = made.pool();
            boolean there = all.stream().anyMatch(each -> each.last.contains(pool) || each.last.contains(made.front()));
            if (there) {
                held.missing.remove(pool);
            } else if (held.missing.merge(pool, 1, Integer::sum) >= GONE_AFTER) {
                held.missing.remove(pool);
                wrapping.letGo(held, pool);
            }
        }
    }

    private static Set<DataSource> targets(Held held) {
        Set<DataSource> targets = Collections.newSetFromMap(new IdentityHashMap<>());
        HeldPools.targets(held.holder, targets);
        return targets;
    }
}
