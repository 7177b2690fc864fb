// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The wrapped pools of this class loader, in the order in which they were built; all weakly referenced. */
public final class PoolRegistry {
    /** Held while a data source is checked and reserved. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final List<Entry> ENTRIES = new CopyOnWriteArrayList<>();
    private static final List<Drained> DRAINED = new CopyOnWriteArrayList<>();
    private static final List<Listener> LISTENERS = new CopyOnWriteArrayList<>();

    /** Outlives a wrapper that was never closed: the wrapped pool still has its limits, and may have open leases. */
    private static final class Entry {
        private final WeakReference<DataSource> target;
        private final String name;
        /** Empty until the pool has started. */
        private volatile WeakReference<DataSource> wrapper = new WeakReference<>(null);

        Entry(DataSource target, String name) {
            this.target = new WeakReference<>(target);
            this.name = name;
        }
    }

    /** A drained pool that the application has not closed; {@code unbind} removes its metrics. */
    private record Drained(WeakReference<DataSource> target, String name, WeakReference<Runnable> unbind) {
        boolean isReplacedBy(DataSource next, String itsName) {
            return target.get() == next || name.equals(itsName);
        }

        void end() {
            Runnable its = unbind.get();
            if (its != null) {
                its.run();
            }
        }
    }

    /** Compared by identity: a consumer that is added twice is called twice, and removed twice. */
    private static final class Listener {
        private final Consumer<DataSource> built;

        Listener(Consumer<DataSource> built) {
            this.built = built;
        }
    }

    private PoolRegistry() {}

    /** Calls {@code built} with each wrapper from now on, until the returned action is run. */
    public static Runnable whenBuilt(Consumer<DataSource> built) {
        Listener added = new Listener(built);
        LISTENERS.add(added);
        return () -> LISTENERS.remove(added);
    }

    /** Notes that a data source is about to be wrapped. Returns the name under which it is wrapped already, or null. */
    public static @Nullable String reserve(DataSource target, String name) {
        LOCK.lock();
        try {
            forgetCollected();
            Entry before = entry(target);
            if (before != null) {
                return before.name;
            }
            ENTRIES.add(new Entry(target, name));
        } finally {
            LOCK.unlock();
        }
        endReplaced(target, name);
        return null;
    }

    /** Backends have one place for each name. Called without the lock, because they are foreign code. */
    private static void endReplaced(DataSource target, String name) {
        for (Drained drained : List.copyOf(DRAINED)) {
            // By the thread that removes it: two builds may find it at once.
            if (drained.isReplacedBy(target, name) && DRAINED.remove(drained)) {
                drained.end();
            }
        }
    }

    /**
     * Notes a drained pool with metrics that are still shown, until the application closes it, the same data source is
     * wrapped again, or another one is wrapped under its name. {@code unbind} removes them; it is weakly referenced.
     */
    static void drained(DataSource target, String name, Runnable unbind) {
        DRAINED.add(new Drained(new WeakReference<>(target), name, new WeakReference<>(unbind)));
    }

    private static void forgetCollected() {
        for (int at = ENTRIES.size() - 1; at >= 0; at--) {
            Entry entry = ENTRIES.get(at);
            if (entry.target.get() == null) {
                ENTRIES.remove(entry);
            }
        }
        if (!DRAINED.isEmpty()) {
            DRAINED.removeIf(drained -> drained.unbind().get() == null);
        }
    }

    private static @Nullable Entry entry(DataSource target) {
        for (Entry entry : ENTRIES) {
            if (entry.target.get() == target) {
                return entry;
            }
        }
        return null;
    }

    /** Lists the wrapper of a reserved data source, and passes it to the listeners. */
    public static void add(DataSource target, DataSource pool) {
        Objects.requireNonNull(entry(target)).wrapper = new WeakReference<>(pool);
        for (Listener listener : LISTENERS) {
            listener.built.accept(pool);
        }
    }

    /** Removes a data source, which may then be wrapped again. */
    public static void remove(DataSource target) {
        LOCK.lock();
        try {
            ENTRIES.removeIf(entry -> entry.target.get() == target);
        } finally {
            LOCK.unlock();
        }
    }

    public static List<DataSource> open() {
        return ENTRIES.stream()
                .map(entry -> entry.wrapper.get())
                .filter(Objects::nonNull)
                .toList();
    }
}
