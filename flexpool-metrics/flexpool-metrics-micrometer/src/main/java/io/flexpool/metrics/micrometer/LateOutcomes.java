// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

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
 * The readings of one pool, which all its meters share, and the outcomes of acquisitions that none of them has shown
 * yet: most never happen, so each gets its meters when it does. Nothing else reports an outcome without a cost for every
 * call, so the reading in which one appears is the moment: some other meter is being read then. Thread-safe.
 */
final class LateOutcomes {
    private final PoolReading.Shared readings;
    /** Two threads may read at once; a meter is registered once, and none after the end. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Replaced, never changed. */
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

    /** From now on an outcome that appears is registered. */
    void begin(Consumer<AcquisitionOutcome> meters) {
        register = meters;
    }

    /** The current reading; its outcomes have meters afterwards. */
    PoolReading get() {
        PoolReading reading = readings.get();
        for (AcquisitionOutcome outcome : unseen) {
            if (happened(outcome, reading) && lock.tryLock()) {
                // If another thread is at it, that one or the next reading does it: a reader does not wait.
                try {
                    add(outcome);
                } finally {
                    lock.unlock();
                }
            }
        }
        return reading;
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
                // A registry that fails is not asked again with each reading.
                unseen = rest;
            }
        }
    }

    /** No outcome is registered any more when this has returned. */
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
