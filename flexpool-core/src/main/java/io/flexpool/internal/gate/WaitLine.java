// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import org.jspecify.annotations.Nullable;

/**
 * The requests that wait at a {@link Gate}, and which of them is served next: a {@link OneQueue queue}, or the queues
 * of several classes ({@link ClassGate}). Without classes, each request is of class 0, which may have every permit.
 *
 * <p>Waiters join and leave in any thread; {@link #next} and {@link #granted} are called by a thread that
 * {@linkplain #serve serves}.
 */
abstract class WaitLine {
    // ---- the waiters ----

    /** A waiter of the calling thread, of class 0, without a time limit. */
    abstract Waiter waiter(long sinceNanos);

    abstract void add(Waiter waiter);

    /** A waiter, anywhere in the line, has stopped waiting; {@code waiting} is the number of remaining waiters. */
    abstract void stopped(Waiter waiter, int waiting);

    /** The oldest waiter; null without one. */
    abstract @Nullable Waiter oldest();

    /** All waiters, including stopped ones. */
    abstract Iterable<Waiter> all();

    /** How many of {@code waiting} requests a higher limit would serve; with classes, at most {@code countsTo}. */
    abstract int servable(int waiting, int countsTo);

    /** The number of permits that stay free although requests wait that a higher limit would serve. */
    int spared() {
        return 0;
    }

    // ---- newcomers ----

    /** Whether a free permit goes to a waiter before a newcomer. */
    abstract boolean goesFirst(long nowNanos);

    /** Whether the permit of a lease may be parked although requests wait. */
    abstract boolean letsPark(Gate gate, long nowNanos, long leaseNanos);

    // ---- who is served ----

    /** Like {@link Gate#serveAll}, by one thread at a time if necessary. */
    abstract void serve(Gate gate, long nowNanos, boolean now, long leaseNanos);

    /** The waiter to serve next; null without one, or if no waiter can get a permit. */
    abstract @Nullable Waiter next(long nowNanos);

    /** Notes that a waiter got a permit. */
    abstract void granted(Waiter waiter, long nowNanos);

    // ---- the permits of each class ----

    /** The number of classes; 0 without classes. */
    int classes() {
        return 0;
    }

    /** The most permits of a class now; {@link Integer#MAX_VALUE} without a maximum. */
    int mostNow(int requestClass) {
        return Integer.MAX_VALUE;
    }

    /** Takes a parked permit for a class at its maximum: the class's own permit, or one that it can exchange. */
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
        int servable(int waiting, int countsTo) {
            return waiting;
        }

        @Override
        boolean goesFirst(long nowNanos) {
            Waiter oldest = queue.oldest();
            return oldest != null && oldest.goesFirst(nowNanos);
        }

        @Override
        boolean letsPark(Gate gate, long nowNanos, long leaseNanos) {
            Waiter oldest = leaseNanos <= gate.briefNanos ? queue.oldest() : null;
            return oldest != null && oldest.letsPass(nowNanos, gate.passNanos);
        }

        @Override
        void serve(Gate gate, long nowNanos, boolean now, long leaseNanos) {
            gate.serveAll(nowNanos, now, leaseNanos);
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
