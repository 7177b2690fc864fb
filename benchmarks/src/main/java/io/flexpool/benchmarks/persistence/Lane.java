// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.messaging.Ledger;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One way from a publisher to whoever is to get all of its messages: a topic's subscriber, or all consumers of a queue
 * together. Thread-safe.
 */
final class Lane {
    /** Nothing has come for so long: it will not come. */
    private static final long STUCK_SECONDS = 60;

    private final Ledger ledger = new Ledger();
    private final Semaphore room;
    private final int inFlight;

    /**
     * Empty.
     *
     * @param inFlight messages that may be on their way at once
     */
    Lane(int inFlight) {
        this.room = new Semaphore(inFlight);
        this.inFlight = inFlight;
    }

    /** Waits until one more may be sent; false if it has waited too long. */
    boolean awaitRoom() throws InterruptedException {
        return room.tryAcquire(STUCK_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits until all have arrived that were sent, or until it has waited too long for the next one. */
    void awaitEmpty() throws InterruptedException {
        boolean more = true;
        for (int free = 0; more && free < inFlight; free++) {
            more = awaitRoom();
        }
    }

    /** A message has arrived. */
    void arrived(int number) {
        if (ledger.arrived(number)) {
            room.release();
        }
    }

    /** What has arrived. */
    Ledger ledger() {
        return ledger;
    }
}
