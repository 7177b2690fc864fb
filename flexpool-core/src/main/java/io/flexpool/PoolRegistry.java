// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The pools of this class loader that are wrapped, in the order in which they were built; all held weakly. */
final class PoolRegistry {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final List<Entry> ENTRIES = new ArrayList<>();
    private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();

    /** Outlives a wrapper that was never closed: the pool behind has its limits, and its connections may be in use. */
    private static final class Entry {
        private final WeakReference<DataSource> target;
        private final String name;
        /** Empty until the pool has started. */
        private WeakReference<FlexPoolDataSource> wrapper = new WeakReference<>(null);

        Entry(DataSource target, String name) {
            this.target = new WeakReference<>(target);
            this.name = name;
        }
    }

    /** By identity: one that is given twice is called twice, and ends twice. */
    private static final class Listener implements PoolWatch {
        private final Consumer<FlexPoolDataSource> built;

        Listener(Consumer<FlexPoolDataSource> built) {
            this.built = built;
        }

        @Override
        public void close() {
            LISTENERS.remove(this);
        }
    }

    private PoolRegistry() {}

    static PoolWatch whenBuilt(Consumer<FlexPoolDataSource> built) {
        Listener added = new Listener(built);
        LISTENERS.add(added);
        return added;
    }

    /**
     * Notes that a data source is about to be wrapped.
     *
     * @param target by identity
     * @return null, or the name under which it is wrapped already
     */
    static @Nullable String reserve(DataSource target, String name) {
        LOCK.lock();
        try {
            ENTRIES.removeIf(entry -> entry.target.get() == null);
            Entry before = entry(target);
            if (before != null) {
                return before.name;
            }
            ENTRIES.add(new Entry(target, name));
            return null;
        } finally {
            LOCK.unlock();
        }
    }

    /** Under the lock. */
    private static @Nullable Entry entry(DataSource target) {
        for (Entry entry : ENTRIES) {
            if (entry.target.get() == target) {
                return entry;
            }
        }
        return null;
    }

    /** Lists the wrapper of a reserved data source, and passes it to the listeners. */
    static FlexPoolDataSource add(DataSource target, FlexPoolDataSource pool) {
        LOCK.lock();
        try {
            Objects.requireNonNull(entry(target)).wrapper = new WeakReference<>(pool);
        } finally {
            LOCK.unlock();
        }
        try {
            LISTENERS.forEach(listener -> listener.built.accept(pool));
        } catch (RuntimeException | Error thrown) {
            // The caller gets no wrapper, so it could not close it.
            pool.release();
            throw thrown;
        }
        return pool;
    }

    /** The data source may be wrapped again. */
    static void remove(DataSource target) {
        LOCK.lock();
        try {
            ENTRIES.removeIf(entry -> entry.target.get() == target);
        } finally {
            LOCK.unlock();
        }
    }

    static List<FlexPoolDataSource> open() {
        LOCK.lock();
        try {
            return ENTRIES.stream()
                    .map(entry -> entry.wrapper.get())
                    .filter(Objects::nonNull)
                    .toList();
        } finally {
            LOCK.unlock();
        }
    }
}
