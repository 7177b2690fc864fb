// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which window it is: the warm-up, then one window after the other, then over. One thread moves on, all clients look.
 * Thread-safe.
 */
final class Windows {
    private static final int WARM_UP = -1;

    private final List<Tally> tallies;
    private final CountDownLatch failed = new CountDownLatch(1);
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile int current = WARM_UP;

    /** In the warm-up. */
    Windows(int count, int clients) {
        tallies =
                IntStream.range(0, count).mapToObj(window -> new Tally(clients)).toList();
    }

    /** The window from now on; {@link #over} after the last one. */
    int current() {
        return current;
    }

    /** What {@link #current} is after the last window. */
    int over() {
        return tallies.size();
    }

    /** Begins a window, from 0, or ends the last one with {@link #over}. */
    void begin(int window) {
        current = window;
    }

    /** Adds a client's share of a window, unless that was the warm-up, and empties it for the next one. */
    void add(int window, int client, Tally.Share share) {
        if (window != WARM_UP) {
            tallies.get(window).add(client, share);
        }
        share.clear();
    }

    /** What was added to each window. */
    List<Tally> tallies() {
        return tallies;
    }

    /** A client cannot continue. The first failure is kept. */
    void fail(Exception e) {
        failure.compareAndSet(null, e);
        failed.countDown();
    }

    /**
     * Waits, but not for longer than the clients all run.
     *
     * @throws IllegalStateException if a client failed
     */
    void await(long nanos) throws InterruptedException {
        if (failed.await(nanos, TimeUnit.NANOSECONDS)) {
            throw new IllegalStateException("a client failed", failure.get());
        }
    }
}
