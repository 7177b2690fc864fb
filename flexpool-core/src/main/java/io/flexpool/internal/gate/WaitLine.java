// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import org.jspecify.annotations.Nullable;

/**
 * The requests that wait at a {@link Gate}, and which of them is served next: a {@link OneQueue single queue}, or the queues of
 * several classes ({@link ClassGate}). Without classes, each request is of class 0, which may have every permit.
 *
 * <p>Waiters come and go in any thread; {@link #next} and {@link #granted} are called by a thread that {@linkplain #serve serves}.
 */
abstract class WaitLine {
    // ---- the waiters ----

    /** One of the calling thread, of class 0, that waits for any time. */
    abstract Waiter waiter(long sinceNanos);

    abstract void add(Waiter waiter);

    /** A waiter, anywhere in the line, has stopped waiting; {@code waiting} is the number of those that still do. */
    abstract void stopped(Waiter waiter, int waiting);

    /** The one that has waited longest; null if none waits. */
    abstract @Nullable Waiter oldest();

    /** All that it holds, also those that have stopped waiting. */
    abstract Iterable<Waiter> all();

    /** Their number; not an atomic snapshot. */
    abstract int size();

    /** How many of so many that wait a higher limit would serve; or as many as it counts to, where it has to count. */
    abstract int servable(int waiting, int countsTo);

    /** How many permits may be free that a class is not given although its requests wait and a higher limit would serve them. */
    int spared() {
        return 0;
    }

    // ---- newcomers ----

    /** Whether a free permit is a waiter's, and no newcomer's. */
    abstract boolean goesFirst(long nowNanos);

    /** Whether the permit of a lease may be parked although requests wait. */
    abstract boolean letsPark(Gate gate, long nowNanos, long heldNanos);

    // ---- who is served ----

    /** As {@link Gate#serveAll}, by one thread at a time where that is necessary. */
    abstract void serve(Gate gate, long nowNanos, boolean now, long heldNanos);

    /** The one that is served next; null if none waits, or a permit can go to none of them. */
    abstract @Nullable Waiter next(long nowNanos);

    /** A permit has gone to a waiter. */
    abstract void granted(Waiter waiter, long nowNanos);

    // ---- the permits of each class ----

    /** How many classes it distinguishes; 0 for none. */
    int classes() {
        return 0;
    }

    /** How many permits a class may have now; {@link Integer#MAX_VALUE} for any number. */
    int mostNow(int requestClass) {
        return Integer.MAX_VALUE;
    }

    /** Takes a parked permit for a class that has as many as it may: its own, or one in exchange for which it may have one. */
    int takeParked(ParkedPermits parked, int requestClass) {
        return parked.take(requestClass);
    }

    /** The line of a gate without classes: one queue, oldest first. */
    static final class OneQueue extends WaitLine {
        private final WaitQueue queue;

        OneQueue(WaitQueue queue) {
            this.queue = queue;
        }

        @Override
        Waiter waiter(long sinceNanos) {
            return new Waiter(Thread.currentThread(), sinceNanos, 0, false);
        }

        @Override
        void add(Waiter waiter) {
            queue.add(waiter);
        }

        @Override
        void stopped(Waiter waiter, int waiting) {
            queue.stopped(waiter, waiting);
        }

        @Override
        @Nullable
        Waiter oldest() {
            return queue.oldest();
        }

        @Override
        Iterable<Waiter> all() {
            return queue;
        }

        @Override
        int size() {
            return queue.size();
        }

        @Override
        int servable(int waiting, int countsTo) {
            return waiting;
        }

        @Override
        boolean goesFirst(long nowNanos) {
            Waiter oldest = queue.oldest();
            return oldest != null && oldest.goesFirst(nowNanos);
        }

        @Override
        boolean letsPark(Gate gate, long nowNanos, long heldNanos) {
            Waiter oldest = heldNanos <= gate.briefNanos ? queue.oldest() : null;
            return oldest != null && oldest.letsPass(nowNanos, gate.passNanos);
        }

        @Override
        void serve(Gate gate, long nowNanos, boolean now, long heldNanos) {
            gate.serveAll(nowNanos, now, heldNanos);
        }

        @Override
        @Nullable
        Waiter next(long nowNanos) {
            return queue.oldest();
        }

        @Override
        void granted(Waiter waiter, long nowNanos) {}
    }
}
