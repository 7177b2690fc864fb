// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One way from a sender to the receiver of all its messages: a topic's subscriber, or all consumers of a queue
 * together. Thread-safe.
 */
public final class Lane {
    /** Nothing has come for so long: it will not come. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Ledger ledger = new Ledger();
    private final Semaphore room;
    private final int inFlight;
    private final Duration patience;

    /**
     * Empty.
     *
     * @param inFlight messages that may be on their way at once
     * @param patience how long to wait for the next one to arrive
     */
    public Lane(int inFlight, Duration patience) {
        this.room = new Semaphore(inFlight);
        this.inFlight = inFlight;
        this.patience = patience;
    }

    /**
     * Waits until one more may be sent.
     *
     * @return false if none has arrived for too long
     * @throws InterruptedException if this thread is interrupted
     */
    public boolean awaitRoom() throws InterruptedException {
        return room.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Waits until all have arrived that were sent.
     *
     * @return false if the next one has not arrived for too long
     * @throws InterruptedException if this thread is interrupted
     */
    public boolean awaitEmpty() throws InterruptedException {
        boolean more = true;
        for (int free = 0; more && free < inFlight; free++) {
            more = awaitRoom();
        }
        return more;
    }

    /**
     * A message has arrived.
     *
     * @param number from 0
     * @return true if it is the first with this number
     */
    public boolean arrived(int number) {
        boolean first = ledger.arrived(number);
        if (first) {
            room.release();
        }
        return first;
    }

    /**
     * What has arrived.
     *
     * @return it goes on counting
     */
    public Ledger ledger() {
        return ledger;
    }
}
