// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.pool.PoolPhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Warms the pools up before the web server starts, and drains them once it has ended its requests, if the keys say so. Only
 * a context that is closed drains its pools: one that is stopped may be started again, and a drained pool stays so.
 * Thread-safe.
 */
final class PoolsLifecycle implements SmartLifecycle, ApplicationContextAware, ApplicationListener<ContextClosedEvent> {
    /**
     * Spring Boot's web servers end their requests in the phase {@code DEFAULT_PHASE - 1024} and stop in {@code DEFAULT_PHASE -
     * 2048}, schedulers and message listeners stop before that. So this starts before all of them, and stops after them.
     */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

    private static final long LOOK_NANOS = 2_000_000;

    private final FlexPools pools;
    private volatile @Nullable ApplicationContext context;
    private volatile boolean running;
    private volatile boolean closing;

    PoolsLifecycle(FlexPools pools) {
        this.pools = pools;
    }

    @Override
    public void setApplicationContext(ApplicationContext its) {
        context = its;
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        // The end of a child context is none of its parent's.
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /**
     * Whether a pause of the context, from Spring 7 on, stops this: it does not, as nothing would be done.
     *
     * @return false
     */
    @SuppressWarnings("unused") // overrides a method of Spring 7
    public boolean isPauseable() {
        return false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Waits for the warm-ups, which began with the pools and end in their own time. */
    @Override
    public void start() {
        running = true;
        while (pools.byName().values().stream().anyMatch(pool -> pool.phase() == PoolPhase.WARMING)
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** All pools at once; returns at once, and calls back when the last one has drained. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        List<Runnable> drains = new ArrayList<>();
        if (closing) {
            for (FlexPoolDataSource pool : pools.byName().values()) {
                Duration within = pool.drainWithin();
                if (within != null) {
                    // The container closes the pool itself, later.
                    drains.add(() -> pool.drainAndRelease(within));
                }
            }
        }
        if (drains.isEmpty()) {
            callback.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(drains.size());
        for (Runnable drain : drains) {
            DaemonThreads.create("flexpool-drain", () -> {
                        try {
                            drain.run();
                        } finally {
                            if (left.decrementAndGet() == 0) {
                                callback.run();
                            }
                        }
                    })
                    .start();
        }
    }
}
