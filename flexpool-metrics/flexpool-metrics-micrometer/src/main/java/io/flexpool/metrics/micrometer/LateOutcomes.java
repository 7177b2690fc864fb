// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The readings of one pool, shared by all its meters, and the outcomes of acquisitions without meters yet. Most
 * outcomes never happen, so each gets its meters with the pool's first event of this outcome: a scrape shows no meter
 * that is registered while it runs. Outcomes without an event get theirs when a reading first contains them, because
 * any other notification would cost something for every call. Thread-safe.
 */
final class LateOutcomes implements PoolListener {
    private final PoolReading.Shared readings;
    /** Two threads may read at once. The lock ensures that a meter is registered only once, and not after the end. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The outcomes without meters. Immutable: each change replaces the set. */
    private volatile Set<AcquisitionOutcome> unseen;

    private volatile @Nullable Consumer<AcquisitionOutcome> register;

    /** Reads the pool for the first time. */
    LateOutcomes(PoolView pool) {
        this.readings = new PoolReading.Shared(pool, Ticker.SYSTEM);
        Set<AcquisitionOutcome> none = EnumSet.noneOf(AcquisitionOutcome.class);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            if (outcome != AcquisitionOutcome.OK && !happened(outcome, readings.get())) {
                none.add(outcome);
            }
        }
        this.unseen = none;
    }

    private static boolean happened(AcquisitionOutcome outcome, PoolReading reading) {
        return reading.statistics().total().acquisition(outcome).count() > 0;
    }

    /** Whether an outcome has no meters yet. */
    boolean awaits(AcquisitionOutcome outcome) {
        return unseen.contains(outcome);
    }

    /** Starts to register meters for new outcomes. */
    void begin(Consumer<AcquisitionOutcome> meters) {
        register = meters;
    }

    /** The current reading; its outcomes have meters afterwards. */
    PoolReading get() {
        PoolReading reading = readings.get();
        for (AcquisitionOutcome outcome : unseen) {
            if (happened(outcome, reading) && lock.tryLock()) {
                // If another thread has the lock, it or the next reading registers the outcome: a reader does not wait.
                try {
                    add(outcome);
                } finally {
                    lock.unlock();
                }
            }
        }
        return reading;
    }

    @Override
    public void onEvent(PoolEvent event) {
        PoolEvent.Kind kind = event.kind();
        if (kind == PoolEvent.Kind.TIMEOUT) {
            seen(AcquisitionOutcome.TIMEOUT);
        } else if (kind == PoolEvent.Kind.CONNECT_FAILURE) {
            seen(AcquisitionOutcome.CONNECT_FAILURE);
        } else if (kind == PoolEvent.Kind.REJECTED) {
            seen(AcquisitionOutcome.REJECTED);
        }
    }

    /** An outcome that has just happened. */
    void seen(AcquisitionOutcome outcome) {
        if (awaits(outcome)) {
            lock.lock();
            try {
                add(outcome);
            } finally {
                lock.unlock();
            }
        }
    }

    private void add(AcquisitionOutcome outcome) {
        Consumer<AcquisitionOutcome> meters = register;
        if (meters != null && awaits(outcome)) {
            Set<AcquisitionOutcome> rest = EnumSet.copyOf(unseen);
            rest.remove(outcome);
            try {
                meters.accept(outcome);
            } finally {
                // Also after a failure, so that a failing registry is not called at each reading.
                unseen = rest;
            }
        }
    }

    /** Ends the registration: after this call no outcome is registered. */
    void end(Runnable remove) {
        lock.lock();
        try {
            register = null;
            remove.run();
        } finally {
            lock.unlock();
        }
    }
}
