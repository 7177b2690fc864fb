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
 * Notices when a data source that delegates to others gets other targets at run time: a router to which a tenant is added, a
 * proxy whose pool is exchanged. Neither reports it, and the application sets its own, unwrapped pools. Its thread runs only
 * if there is such a data source. Thread-safe.
 */
final class HolderWatch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    private static final long EVERY_NANOS = 100_000_000;
    /** A router has no targets for a moment while it is being initialised. */
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

    /** What is done to the targets. */
    interface Wrapping {
        /**
         * Wraps those targets of a holder that are not wrapped.
         *
         * @return how many pools are new
         */
        int wrap(Held held);

        /** The pools that were wrapped for a holder; a copy. */
        List<Made> made(Held held);

        /** Ends flexpool around a pool that no holder has any more. */
        void letGo(Held held, DataSource pool);
    }

    /** One data source that delegates to others, and is a bean. */
    static final class Held {
        private final DataSource holder;
        private final String name;
        private final WrapRequest request;
        private Set<DataSource> last = Set.of();
        private final IdentityHashMap<DataSource, Integer> missing = new IdentityHashMap<>();

        /**
         * Of a holder whose targets are wrapped.
         *
         * @param holder the bean
         * @param name its name
         * @param request as at first
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

    /** Begins to watch a holder, whose targets are wrapped. */
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

    /** Ends that. */
    void remove(Object holder) {
        all.removeIf(held -> held.holder == holder);
    }

    /** Ends all of it. */
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
                    // Changed in this very moment, or an application's own class: the next check is soon.
                    LOG.debug("{}: the pools behind this data source cannot be read now", held.name, unreadable);
                }
            }
        }
        thread.set(null);
        if (!all.isEmpty()) {
            // Added in between, when this thread seemed to run.
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
