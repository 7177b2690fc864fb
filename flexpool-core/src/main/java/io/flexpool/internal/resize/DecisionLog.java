// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.diagnostics.Decision;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last {@value #SIZE} decisions of one pool: numbers, remembers and logs them, and notifies listeners. Filled by the loop's
 * thread; read by any.
 */
public final class DecisionLog {
    static final int SIZE = 1_000;
    private static final int MOST_SHOWN = 2;
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Decision> ring = new ArrayDeque<>();
    private final String pool;
    private final ListenerGuard listeners;
    private final InstantSource clock = InstantSource.system();
    private long last;
    /** How many numbers were given before the present controller. */
    private long before;

    public DecisionLog(String pool, ListenerGuard listeners) {
        this.pool = pool;
        this.listeners = listeners;
    }

    void add(SizingDecision made, PoolState state) {
        long number = before + made.number();
        last = Math.max(last, number);
        Decision decision = made.logged(number, clock.instant());
        lock.lock();
        try {
            if (ring.size() == SIZE) {
                ring.removeFirst();
            }
            ring.addLast(decision);
        } finally {
            lock.unlock();
        }
        PoolEvent.SizingDecided event = new Events.SizingDecided(pool, decision, state);
        // All of them: without one the next is not understood, and they come only while the controller searches or
        // gives back.
        listeners.guard("the log", () -> LOG.info("{}", event.describe()));
        listeners.raise(event);
    }

    /** The controller threw; the next one counts from here. */
    void broken(SizingDecision made, PoolState state) {
        before = last;
        add(made, state);
        before = last;
    }

    /** The last two that were made in a mode, oldest first; none if another mode has decided since. */
    public List<Decision> last(PoolMode mode) {
        List<Decision> all = all();
        int from = all.size();
        while (from > 0 && all.size() - from < MOST_SHOWN && all.get(from - 1).mode() == mode) {
            from--;
        }
        return all.stream().skip(from).toList();
    }

    /** Oldest first. */
    public List<Decision> all() {
        lock.lock();
        try {
            return List.copyOf(ring);
        } finally {
            lock.unlock();
        }
    }
}
