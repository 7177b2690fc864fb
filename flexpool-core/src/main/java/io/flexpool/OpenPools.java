// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The wrapped pools that are open, in the order in which they were built; held weakly, as the loop holds them. */
final class OpenPools {
    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final List<WeakReference<FlexPoolDataSource>> OPEN = new ArrayList<>();

    private static final List<Hearer> HEARERS = new CopyOnWriteArrayList<>();

    /** By identity: one that is given twice is heard twice, and ends twice. */
    private static final class Hearer implements PoolWatch {
        private final Consumer<FlexPoolDataSource> told;

        Hearer(Consumer<FlexPoolDataSource> told) {
            this.told = told;
        }

        @Override
        public void close() {
            HEARERS.remove(this);
        }
    }

    private OpenPools() {}

    static PoolWatch hear(Consumer<FlexPoolDataSource> hearer) {
        Hearer added = new Hearer(hearer);
        HEARERS.add(added);
        return added;
    }

    static FlexPoolDataSource add(FlexPoolDataSource pool) {
        LOCK.lock();
        try {
            OPEN.removeIf(held -> held.get() == null);
            OPEN.add(new WeakReference<>(pool));
        } finally {
            LOCK.unlock();
        }
        try {
            HEARERS.forEach(hearer -> hearer.told.accept(pool));
        } catch (RuntimeException | Error thrown) {
            // Nobody will have the wrapper, so nobody could end it.
            pool.release();
            throw thrown;
        }
        return pool;
    }

    static void remove(FlexPoolDataSource pool) {
        LOCK.lock();
        try {
            OPEN.removeIf(held -> held.get() == pool || held.get() == null);
        } finally {
            LOCK.unlock();
        }
    }

    static List<FlexPoolDataSource> list() {
        LOCK.lock();
        try {
            List<FlexPoolDataSource> open = new ArrayList<>(OPEN.size());
            for (WeakReference<FlexPoolDataSource> held : OPEN) {
                FlexPoolDataSource pool = held.get();
                if (pool != null) {
                    open.add(pool);
                }
            }
            return List.copyOf(open);
        } finally {
            LOCK.unlock();
        }
    }
}
