// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/** Which numbered messages have arrived, and which of them more than once. Thread-safe. */
public final class Ledger {
    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet seen = new BitSet();
    private long doubled;

    /** Empty. */
    public Ledger() {}

    /**
     * A message has arrived.
     *
     * @param number from 0
     * @return true if it is the first with this number
     */
    public boolean arrived(int number) {
        lock.lock();
        try {
            boolean first = !seen.get(number);
            seen.set(number);
            if (!first) {
                doubled++;
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether a message has arrived.
     *
     * @param number from 0
     * @return true if it has, at least once
     */
    public boolean seen(int number) {
        lock.lock();
        try {
            return seen.get(number);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Messages that have arrived, each counted once.
     *
     * @return how many
     */
    public int different() {
        lock.lock();
        try {
            return seen.cardinality();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Arrivals of messages that had arrived before.
     *
     * @return how many
     */
    public long doubled() {
        lock.lock();
        try {
            return doubled;
        } finally {
            lock.unlock();
        }
    }
}
