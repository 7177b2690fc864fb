// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.event.PoolEvent.LifecycleAction;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Warms up, pauses, resumes, evicts and drains one pool. The direct path does not check for this:
 * {@link AdmissionState} sends requests to the slow path while the pool is paused or drains. Thread-safe.
 *
 * <p>The gate pauses the pool, so that requests wait there in their order; a pool without a gate gets one for the
 * pause, and does not change otherwise. A thread that has a connection passes a pause and a drain if a permit is free:
 * both wait for its lease, and it would wait for them.
 */
public final class Operations {
    /** As long as Spring Boot waits for a phase of its life cycle. */
    private static final Duration WARM_UP_WITHIN = Duration.ofSeconds(30);

    /** How often a drain checks whether all leases have ended, so that the end of a lease need not check. */
    private static final long CHECK_NANOS = 5_000_000;
    /** The second check counts a request that had passed the flag, but was not counted in the first. */
    private static final int QUIET_CHECKS = 2;

    private static final int LONGEST_REASON = 200;

    private final PoolContext context;
    private final AdmissionState admission;
    private final LeaseTracker leases;
    private final ReentrantLock switching = new ReentrantLock();
    private final AtomicInteger warming = new AtomicInteger();

    public Operations(PoolContext context, LeaseTracker leases) {
        this.context = context;
        this.admission = context.admissionState();
        this.leases = leases;
    }

    public PoolPhase phase() {
        if (admission.closed() || context.closedByApplication()) {
            return PoolPhase.CLOSED;
        }
        if (admission.draining()) {
            return PoolPhase.DRAINING;
        }
        if (admission.paused()) {
            return PoolPhase.PAUSED;
        }
        return warming.get() > 0 ? PoolPhase.WARMING : PoolPhase.OPEN;
    }

    // ---- warm-up ----

    /** Warms up in the background. */
    void warmUpAtStart(int connections, Callable<Connection> pool) {
        // Before the thread runs: a reader in between must not find the pool open.
        warming.incrementAndGet();
        boolean runs = context.listeners()
                .guard(
                        "the warm-up",
                        () -> WarmUp.thread(context.name(), () -> {
                                    try {
                                        warmUp(connections, WARM_UP_WITHIN, pool);
                                    } finally {
                                        warming.decrementAndGet();
                                    }
                                })
                                .start());
        if (!runs) {
            warming.decrementAndGet();
        }
    }

    /** Opens connections by borrowing {@code connections} at once; returns how many were open at once. */
    public int warmUp(int connections, Duration within, Callable<Connection> pool) {
        if (connections < 1 || connections > PoolConfig.LARGEST_LIMIT) {
            throw refused("connections = " + connections + ": must be from 1 to " + PoolConfig.LARGEST_LIMIT);
        }
        check(within);
        if (!phase().answers()) {
            return 0;
        }
        warming.incrementAndGet();
        try {
            int wanted = Math.min(connections, lendable());
            WarmUp run = new WarmUp(context, wanted, within.toNanos(), pool);
            int opened = run.open();
            String why = run.firstFailure();
            done(
                    LifecycleAction.WARMED_UP,
                    opened + " of " + Words.count(connections, "connection") + " open"
                            + (wanted < connections ? ", the limit is " + wanted : "")
                            + (opened < wanted && why != null ? ": " + why : ""),
                    opened == wanted);
            return opened;
        } finally {
            warming.decrementAndGet();
        }
    }

    /** The number of connections that the pool may lend at once. */
    private int lendable() {
        PoolState state = context.state();
        int most = state.bound() ? state.limit() : state.pool().max();
        int lendable = most == PoolSnapshot.UNKNOWN ? PoolConfig.LARGEST_LIMIT : Math.max(1, most);
        RequestClasses classes = context.classes();
        // The threads of a warm-up are of the first class: beyond its maximum they would wait.
        Integer requestClass = classes == null ? null : classes.rules().get(0).max();
        return requestClass == null ? lendable : Math.min(lendable, requestClass);
    }

    // ---- pause and resume ----

    /** Lets requests wait from now on; false if the pool is paused already, drains or is closed. */
    public boolean pause() {
        switching.lock();
        try {
            if (!phase().answers()) {
                return false;
            }
            Gate queue = queue();
            admission.paused(true);
            queue.pause(true, context.nanos());
            // Requests of threads that hold a connection pass, also if they wait already.
            queue.wakeAll();
        } finally {
            switching.unlock();
        }
        done(LifecycleAction.PAUSED, "paused: requests wait until the pool is resumed", true);
        return true;
    }

    private Gate queue() {
        Gate queue = context.queue();
        if (queue == null) {
            queue = new Gate(1, context.ticker());
            queue.open(context.nanos());
            admission.holdQueue(queue);
        }
        return queue;
    }

    /** Serves requests again; false if the pool was not paused. */
    public boolean resume() {
        if (!releaseWaiters()) {
            return false;
        }
        done(LifecycleAction.RESUMED, "resumed: requests are served again", true);
        return true;
    }

    /** Resumes without an event or a log line, for a pool that ends. */
    public boolean releaseWaiters() {
        switching.lock();
        try {
            if (!admission.paused()) {
                return false;
            }
            admission.paused(false);
            queue().pause(false, context.nanos());
            return true;
        } finally {
            switching.unlock();
        }
    }

    // ---- evict ----

    /** Closes idle connections now, and leased ones on return. False if the pool cannot do this, or is closed. */
    public boolean evict(String reason) {
        String why = Secrets.masked(PlainText.line(reason, LONGEST_REASON));
        if (admission.closed() || !context.adapter().capabilities().contains(Capability.EVICT)) {
            return false;
        }
        leases.discardOnReturn();
        boolean evicted = context.listeners()
                .ask(
                        "the adapter's evict",
                        () -> {
                            context.adapter().evict();
                            return true;
                        },
                        false);
        // Once more: a connection may have been lent before the pool could close it.
        leases.discardOnReturn();
        done(LifecycleAction.EVICTED, why + (evicted ? "" : "; the pool did not close idle connections"), evicted);
        return evicted;
    }

    // ---- drain ----

    /** Refuses new requests, and waits for leases and waiting requests. Returns how many were left after the wait. */
    public int drain(Duration within) {
        check(within);
        switching.lock();
        try {
            if (admission.closed()) {
                return 0;
            }
            admission.drain();
        } finally {
            switching.unlock();
        }
        // Requests that wait already are served.
        releaseWaiters();
        long beganNanos = context.nanos();
        int left = left();
        done(LifecycleAction.DRAINING, "draining: new requests are rejected; waiting for " + requests(left), true);
        left = await(within.toNanos());
        done(
                LifecycleAction.DRAINED,
                left == 0
                        ? "every lease has ended"
                        : "stopped waiting for " + requests(left) + " after "
                                + Words.millis(context.nanos() - beganNanos),
                left == 0);
        return left;
    }

    private static String requests(int number) {
        return number + (number == 1 ? " lease or request" : " leases or requests");
    }

    private int await(long nanos) {
        long end = context.nanos() + nanos;
        int quiet = 0;
        while (true) {
            int left = left();
            quiet = left == 0 ? quiet + 1 : 0;
            if (quiet >= QUIET_CHECKS || admission.closed()) {
                return left;
            }
            if (end - context.nanos() <= 0 || Thread.currentThread().isInterrupted()) {
                return left;
            }
            LockSupport.parkNanos(this, CHECK_NANOS);
        }
    }

    private int left() {
        PoolState state = context.state();
        return state.leased() + state.pending();
    }

    // ---- all of them ----

    private void check(Duration within) {
        if (within.isNegative() || within.isZero() || within.compareTo(Duration.ofDays(1)) > 0) {
            throw refused("within = " + within + ": must be longer than zero, and at most P1D");
        }
    }

    private IllegalArgumentException refused(String rule) {
        return new IllegalArgumentException(context.name() + ": " + rule);
    }

    private void done(LifecycleAction action, String reason, boolean well) {
        Events.LifecycleChanged event = new Events.LifecycleChanged(context.name(), action, reason, context.state());
        context.listeners().log(event, !well);
        context.listeners().raise(event);
        context.listeners().settle();
    }
}
