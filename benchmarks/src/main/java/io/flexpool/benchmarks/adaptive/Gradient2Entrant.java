// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.benchmarks.simulate.SimController;
import io.flexpool.benchmarks.simulate.SimPool;
import io.flexpool.benchmarks.simulate.Simulation;
import io.flexpool.diagnostics.Decision;
import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The simulator's Gradient2 contender on a real pool: it receives every lease, and each tick its limit becomes that of
 * flexpool's gate, so that nothing but the rule differs from flexpool's own.
 */
final class Gradient2Entrant extends GatedEntrant {
    private static final long TICK_NANOS = (long) (Simulation.TICK_SECONDS * 1e9);

    private final SimController controller;
    private final int ceiling;
    private final AtomicInteger out = new AtomicInteger();
    /** The limit is written for one thread. */
    private final ReentrantLock lock = new ReentrantLock();

    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "gradient2-ticker");
        thread.setDaemon(true);
        return thread;
    });

    Gradient2Entrant(FlexPoolDataSource pool, SimController controller, int base, int ceiling) {
        super(Competitor.GRADIENT2, pool);
        this.controller = controller;
        this.ceiling = ceiling;
        controller.begin(new Gate(this, base, ceiling));
        var unused = ticker.scheduleAtFixedRate(this::tick, TICK_NANOS, TICK_NANOS, TimeUnit.NANOSECONDS);
    }

    private void tick() {
        int limit = limit();
        long now = System.nanoTime();
        PoolWindow seen = new PoolWindow(
                now, limit, ceiling, limit, leased(), pending(), now, -1, 0, Traffic.NONE, LeaseAges.NONE);
        int wanted;
        lock.lock();
        try {
            wanted = controller.onTick(seen);
        } finally {
            lock.unlock();
        }
        if (wanted != limit) {
            pool().limits(wanted, wanted);
        }
    }

    @Override
    public Lease acquire() throws SQLException {
        Lease lease = super.acquire();
        return new Lease(lease.connection(), lease.sinceNanos(), out.incrementAndGet());
    }

    @Override
    public void release(Lease lease, boolean failed) throws SQLException {
        out.decrementAndGet();
        long now = System.nanoTime();
        lock.lock();
        try {
            controller.onReleased(now, now - lease.sinceNanos(), lease.atOnce(), failed);
        } finally {
            lock.unlock();
        }
        super.release(lease, failed);
    }

    /** flexpool's controller only watches here, and what it would do is not what was done. */
    @Override
    public List<Decision> decisions() {
        return List.of();
    }

    @Override
    public void close() throws SQLException {
        ticker.shutdownNow();
        super.close();
    }

    /** The pool as the contender sees it. */
    private record Gate(GatedEntrant entrant, int base, int ceiling) implements SimPool {
        @Override
        public int limit() {
            return entrant.limit();
        }

        @Override
        public void limit(int limit) {
            entrant.pool().limits(limit, limit);
        }

        @Override
        public int active() {
            return entrant.leased();
        }

        @Override
        public int waiting() {
            return entrant.pending();
        }
    }
}
