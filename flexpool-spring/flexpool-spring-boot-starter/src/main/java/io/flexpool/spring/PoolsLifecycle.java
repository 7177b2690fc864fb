// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.pool.PoolPhase;
import io.flexpool.spi.DaemonThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * If configured, waits for the warm-ups of the pools before the web server starts, and for their open leases after it
 * has ended its requests. Refuses no request: executors and schedulers may still await tasks when they are destroyed,
 * which is later, but before their pool ends. A pool drains when its bean ends. Waits only if the context is closed,
 * because a stopped context may start again. Thread-safe.
 */
final class PoolsLifecycle implements SmartLifecycle, ApplicationContextAware, ApplicationListener<ContextClosedEvent> {
    /**
     * The phase: starts before all others, and stops after them. Spring Boot's web servers end their requests in the
     * phase {@code DEFAULT_PHASE - 1024} and stop in {@code DEFAULT_PHASE - 2048}; schedulers and message listeners
     * stop before.
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
        // Ignores the end of a child context.
        if (event.getApplicationContext() == context) {
            closing = true;
        }
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /**
     * Whether a pause of the context stops this, from Spring 7. No, because it would do nothing.
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

    /** Waits for the warm-ups, which began with the pools and have their own time limits. */
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

    /** Waits for all pools at the same time. Returns at once, and calls back when the last leases have ended. */
    @Override
    public void stop(Runnable callback) {
        running = false;
        List<LeaseWait> waits = new ArrayList<>();
        if (closing) {
            for (FlexPoolDataSource pool : pools.byName().values()) {
                OpenPools.drainWithin(pool).ifPresent(within -> waits.add(pools.await(pool, within)));
            }
        }
        if (waits.isEmpty()) {
            callback.run();
            return;
        }
        if (context instanceof ConfigurableApplicationContext its) {
            EndOrder.executorsFirst(its.getBeanFactory());
        }
        AtomicInteger left = new AtomicInteger(waits.size());
        for (LeaseWait wait : waits) {
            DaemonThreads.create("flexpool-drain", () -> {
                        try {
                            wait.await();
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
