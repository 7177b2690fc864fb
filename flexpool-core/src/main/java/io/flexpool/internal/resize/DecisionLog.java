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
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last {@value #SIZE} decisions of one pool: numbers, stores and logs them, and notifies listeners. Filled by the
 * loop's thread; read by any thread.
 */
public final class DecisionLog {
    static final int SIZE = 1_000;
    private static final int MOST_SHOWN = 2;
    /** The maximum number of offsets. A verdict soon follows its step, so older offsets are not needed. */
    private static final int MOST_RAISED = 100;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Decision> ring = new ArrayDeque<>();
    private final String pool;
    private final ListenerGuard listeners;
    private final InstantSource clock = InstantSource.system();
    private long last;
    /** The last number of the present controller. */
    private long lastMade;
    /** Offsets added to the controller's numbers, by the first number changed: other decisions have numbers too. */
    private final NavigableMap<Long, Long> raisedBy = new TreeMap<>(Map.of(0L, 0L));

    public DecisionLog(String pool, ListenerGuard listeners) {
        this.pool = pool;
        this.listeners = listeners;
    }

    void add(SizingDecision made, PoolState state) {
        lastMade = Math.max(lastMade, made.number());
        long number = made.number() + raisedBy.floorEntry(made.number()).getValue();
        log(made, number, state);
    }

    private void log(SizingDecision made, long number, PoolState state) {
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
        // Logs all decisions: each explains the next, and they occur only while the controller searches or shrinks.
        listeners.guard("the log appender", () -> LOG.info("{}", event.describe()));
        listeners.raise(event);
    }

    /** Records that the controller threw. */
    void broken(SizingDecision made, PoolState state) {
        log(made, last + 1, state);
        restart();
    }

    /** Lets the next controller's numbers continue after the last one. */
    void restart() {
        raisedBy.clear();
        raisedBy.put(0L, last);
        lastMade = 0;
    }

    /** Records a move by a cap, not by the controller; the controller's numbers continue after it. */
    public void capped(PoolMode mode, @Nullable String part, int from, int to, String words, PoolState state) {
        log(SizingDecision.capped(mode, part, from, to, words), last + 1, state);
        raisedBy.put(lastMade + 1, last - lastMade);
        if (raisedBy.size() > MOST_RAISED) {
            raisedBy.remove(raisedBy.higherKey(0L));
        }
    }

    /** The last two decisions of a mode, oldest first; empty if another mode has decided since. */
    public List<Decision> last(PoolMode mode) {
        List<Decision> all = all();
        int from = all.size();
        while (from > 0 && all.size() - from < MOST_SHOWN && all.get(from - 1).mode() == mode) {
            from--;
        }
        return all.stream().skip(from).toList();
    }

    /** The stored decisions, oldest first. */
    public List<Decision> all() {
        lock.lock();
        try {
            return List.copyOf(ring);
        } finally {
            lock.unlock();
        }
    }
}
