// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One way from a sender to the receiver of all its messages: a topic's subscriber, or all consumers of a queue
 * together. Keeps book of the numbered messages that have arrived. Thread-safe.
 */
final class Lane {
    /** Nothing has come for so long: it will not come. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Semaphore room;
    private final int inFlight;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet seen = new BitSet();
    private long doubled;

    /**
     * Empty.
     *
     * @param inFlight messages that may be on their way at once
     * @param patience how long to wait for the next one to arrive
     */
    Lane(int inFlight, Duration patience) {
        this.room = new Semaphore(inFlight);
        this.inFlight = inFlight;
        this.patience = patience;
    }

    /** Waits until one more may be sent; returns false if none has arrived for too long. */
    boolean awaitRoom() throws InterruptedException {
        return room.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Waits until all have arrived that were sent, or until the next one has not arrived for too long. */
    void awaitEmpty() throws InterruptedException {
        boolean more = true;
        for (int free = 0; more && free < inFlight; free++) {
            more = awaitRoom();
        }
    }

    /** A message has arrived, with a number from 0; returns true if it is the first with this number. */
    boolean arrived(int number) {
        boolean first = marked(number);
        if (first) {
            room.release();
        }
        return first;
    }

    private boolean marked(int number) {
        lock.lock();
        try {
            boolean first = !seen.get(number);
            seen.set(number);
            doubled += first ? 0 : 1;
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Messages that have arrived, each counted once. */
    int different() {
        lock.lock();
        try {
            return seen.cardinality();
        } finally {
            lock.unlock();
        }
    }

    /** Arrivals of messages that had arrived before. */
    long doubled() {
        lock.lock();
        try {
            return doubled;
        } finally {
            lock.unlock();
        }
    }
}
