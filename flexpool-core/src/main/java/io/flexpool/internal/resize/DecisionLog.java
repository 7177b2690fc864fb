// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.Outcome;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingRecord;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last {@value #SIZE} decisions of one pool: remembered, logged, told. Brought by the loop's thread; read by any. */
public final class DecisionLog {
    static final int SIZE = 1_000;
    private static final int MOST_TOLD = 2;
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Decision> ring = new ArrayDeque<>();
    private final String pool;
    private final ListenerGuard listeners;
    private final InstantSource clock = InstantSource.system();
    private long last;
    /** How many numbers were given before the controller of now. */
    private long before;

    public DecisionLog(String pool, ListenerGuard listeners) {
        this.pool = pool;
        this.listeners = listeners;
    }

    void add(PoolMode mode, SizingRecord made, Outcome outcome, PoolState state) {
        last = Math.max(last, before + made.number());
        add(
                new Decision(
                        before + made.number(),
                        clock.instant(),
                        mode,
                        made.from(),
                        made.to(),
                        made.tried(),
                        word(made.cause()),
                        word(made.verdict()),
                        outcome,
                        inputs(made.evidence()),
                        made.explain() + (outcome == Outcome.REFUSED ? " (not done: see the limit)" : "")),
                state);
    }

    /** The controller threw; the next one counts from here. */
    void broken(PoolMode mode, int limit, String explanation, PoolState state) {
        before = ++last;
        add(
                new Decision(
                        last,
                        clock.instant(),
                        mode,
                        limit,
                        limit,
                        limit,
                        "broken",
                        "none",
                        Outcome.KEPT,
                        Map.of(),
                        explanation),
                state);
    }

    private void add(Decision decision, PoolState state) {
        lock.lock();
        try {
            if (ring.size() == SIZE) {
                ring.removeFirst();
            }
            ring.addLast(decision);
        } finally {
            lock.unlock();
        }
        PoolEvent.SizingDecided event = new PoolEvent.SizingDecided(pool, decision, state);
        // All of them: without one the next is not understood, and they come only while the controller searches or
        // gives back.
        listeners.guard("the log", () -> LOG.info("{}", event.describe()));
        listeners.raise(listener -> listener.onSizingDecided(event));
    }

    /** The last two that were made in a mode, oldest first; none if another mode has decided since. */
    public List<Decision> last(PoolMode mode) {
        Deque<Decision> found = new ArrayDeque<>();
        lock.lock();
        try {
            Iterator<Decision> newestFirst = ring.descendingIterator();
            while (found.size() < MOST_TOLD && newestFirst.hasNext()) {
                Decision one = newestFirst.next();
                if (one.mode() != mode) {
                    break;
                }
                found.addFirst(one);
            }
        } finally {
            lock.unlock();
        }
        return List.copyOf(found);
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

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Double> inputs(Evidence evidence) {
        Map<String, Double> inputs = new LinkedHashMap<>();
        put(inputs, "arrivals-per-second", evidence.arrivalRate());
        put(inputs, "lease-seconds", evidence.leaseSeconds());
        put(inputs, "calm-lease-seconds", evidence.calmLeaseSeconds());
        put(inputs, "completions-per-second-before", evidence.rateBefore());
        put(inputs, "completions-per-second-after", evidence.rateAfter());
        put(inputs, "gain-error", evidence.gainError());
        put(inputs, "oldest-wait-seconds", evidence.headAgeSeconds());
        put(inputs, "occupied", evidence.stuck());
        put(inputs, "expected-p99-wait-seconds", evidence.expectedWaitSeconds());
        return inputs;
    }

    /** What was not measured is left out. */
    private static void put(Map<String, Double> inputs, String name, double value) {
        if (!Double.isNaN(value)) {
            inputs.put(name, value);
        }
    }
}
