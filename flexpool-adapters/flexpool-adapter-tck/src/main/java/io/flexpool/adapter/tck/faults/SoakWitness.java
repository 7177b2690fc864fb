// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Observes and counts all calls and events of a pool. Its observer, and a listener that is notified before the counting
 * listener, sometimes throw. Thread-safe.
 */
public final class SoakWitness {
    /** The time from which an acquisition counts as slow, and a lease as long. */
    public static final Duration SLOW = Duration.ofMillis(5);

    private static final int THROWS_ONE_IN = 100;
    private static final int KEPT = 3;

    private final long seed;
    private final AtomicLong calls = new AtomicLong();
    private final LongAdder thrown = new LongAdder();
    private final Map<AcquisitionOutcome, LongAdder> acquired = new EnumMap<>(AcquisitionOutcome.class);
    private final LongAdder released = new LongAdder();
    private final LongAdder slow = new LongAdder();
    private final LongAdder longLeases = new LongAdder();
    private final Listener counting = new Listener();

    public SoakWitness(long seed) {
        this.seed = seed;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            acquired.put(outcome, new LongAdder());
        }
    }

    /** The listener's counts. */
    public static final class Listener implements PoolListener {
        public final LongAdder timedOut = new LongAdder();
        public final LongAdder slow = new LongAdder();
        public final LongAdder longLeases = new LongAdder();
        public final LongAdder connectFailures = new LongAdder();
        /** The first connect failures, in words. */
        public final Queue<String> connectFailuresTold = new ConcurrentLinkedQueue<>();

        public final LongAdder growths = new LongAdder();
        public final LongAdder shrinks = new LongAdder();
        /** The sum of all changes of the limit. */
        public final LongAdder moved = new LongAdder();

        public final LongAdder suspected = new LongAdder();
        public final LongAdder resolved = new LongAdder();
        public final LongAdder closed = new LongAdder();

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.AcquisitionTimedOut) {
                timedOut.increment();
            } else if (event instanceof PoolEvent.AcquisitionSlow) {
                slow.increment();
            } else if (event instanceof PoolEvent.LeaseLong) {
                longLeases.increment();
            } else if (event instanceof PoolEvent.ConnectFailed failed) {
                connectFailures.increment();
                if (connectFailuresTold.size() < KEPT) {
                    connectFailuresTold.add(failed.describe());
                }
            } else if (event instanceof PoolEvent.Resized resized) {
                (resized.to() > resized.from() ? growths : shrinks).increment();
                moved.add(resized.to() - resized.from());
            } else if (event instanceof PoolEvent.LeakSuspected) {
                suspected.increment();
            } else if (event instanceof PoolEvent.LeakResolved) {
                resolved.increment();
            }
        }

        @Override
        public void onClosed(String pool) {
            closed.increment();
        }
    }

    private final class Thrower implements PoolListener {
        @Override
        public void onEvent(PoolEvent event) {
            mayThrow();
        }

        @Override
        public void onClosed(String pool) {
            mayThrow();
        }
    }

    private final class Observer implements LeaseObserver {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            Objects.requireNonNull(acquired.get(outcome)).increment();
            if (outcome == AcquisitionOutcome.OK && endedNanos - requestedNanos > SLOW.toNanos()) {
                slow.increment();
            }
            mayThrow();
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            released.increment();
            if (releasedNanos - acquiredNanos > SLOW.toNanos()) {
                longLeases.increment();
            }
            mayThrow();
        }
    }

    private void mayThrow() {
        // The golden ratio's bits spread successive numbers evenly.
        long mixed = (seed + calls.incrementAndGet()) * 0x9E3779B97F4A7C15L;
        if (Long.remainderUnsigned(mixed >>> 16, THROWS_ONE_IN) != 0) {
            return;
        }
        thrown.increment();
        if (mixed < 0) {
            throw new IllegalStateException("soak: thrown on purpose");
        }
        throw new AssertionError("soak: an error, thrown on purpose");
    }

    /** A listener that sometimes throws. */
    public PoolListener thrower() {
        return new Thrower();
    }

    /** A listener that counts and never throws. */
    public Listener counting() {
        return counting;
    }

    /** An observer that counts and sometimes throws. */
    public LeaseObserver observer() {
        return new Observer();
    }

    /** The number of exceptions thrown on purpose. */
    public long thrown() {
        return thrown.sum();
    }

    /** The number of requests with this outcome, by the observer. */
    public long acquired(AcquisitionOutcome outcome) {
        return Objects.requireNonNull(acquired.get(outcome)).sum();
    }

    /** The number of ended leases, by the observer. */
    public long released() {
        return released.sum();
    }

    /** The number of slow acquisitions, by the observer's times. */
    public long slow() {
        return slow.sum();
    }

    /** The number of long leases, by the observer's times. */
    public long longLeases() {
        return longLeases.sum();
    }
}
