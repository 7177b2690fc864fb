// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.PoolAdvice.Status;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Stores the last advice on one pool's size, and schedules the next calculation. It is due when the pool's age has
 * doubled, when an hour has passed, or when a reader finds advice older than a minute. One daemon thread calculates for
 * all pools, for at most a hundredth of the time. Thread-safe.
 */
final class AdvicePart implements PoolPart {
    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** The shortest pause, as a multiple of the last calculation's duration. */
    private static final int PAUSES = 100;

    private static final ThreadPoolExecutor WORKER = worker();
    private static final PoolAdvice OFF = PoolAdvice.without(Status.OFF, "No advice: flexpool.advice is false.");
    private static final PoolAdvice FIRST =
            PoolAdvice.without(Status.EARLY, "No advice yet: the first one is computed after a minute.");
    private static final PoolAdvice EARLY =
            PoolAdvice.without(Status.EARLY, "No advice yet: too few connections have been requested.");
    private static final PoolAdvice SOON = PoolAdvice.without(Status.EARLY, "No advice yet: it is being calculated.");
    private static final PoolAdvice NO_SIZE =
            PoolAdvice.without(Status.EARLY, "No advice: the pool does not report its max size.");

    private final PartContext context;
    private final AdviceLog log;
    private final InstantSource clock = InstantSource.system();
    private final long beganNanos;
    private final Executor worker;
    private final @Nullable PoolAdvisor advisor;
    private final AtomicBoolean working = new AtomicBoolean();
    private volatile PoolAdvice last;
    /** The start and the duration of the last calculation. */
    private volatile long startedNanos;

    private volatile long tookNanos;
    private volatile boolean closed;
    /** The class of the last calculation's exception; null without one. */
    private volatile @Nullable Class<?> threw;
    /** The number of requests that had ended at the start of the last calculation. */
    private volatile long requestsBefore;

    /** The advice on a pool; null for the advisor disables it. */
    AdvicePart(PartContext context, @Nullable PoolAdvisor advisor) {
        this(context, advisor, WORKER);
    }

    AdvicePart(PartContext context, @Nullable PoolAdvisor advisor, Executor worker) {
        this.context = context;
        this.advisor = advisor;
        this.worker = worker;
        this.log = new AdviceLog(context);
        this.beganNanos = context.nanos();
        this.startedNanos = beganNanos;
        this.last = advisor != null ? EARLY : OFF;
    }

    private static ThreadPoolExecutor worker() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("flexpool-advisor"));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    @Override
    public @Nullable LeaseSink leases() {
        return advisor;
    }

    /** The last advice. Schedules the next calculation if it is old. */
    PoolAdvice advice() {
        long now = context.nanos();
        if (now - startedNanos >= Math.max(FRESH_NANOS, PAUSES * tookNanos)) {
            begin(now);
        }
        return last != EARLY ? last : working.get() ? SOON : now - beganNanos < FRESH_NANOS ? FIRST : EARLY;
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return type == PoolAdvice.class ? Optional.of(type.cast(advice())) : Optional.empty();
    }

    @Override
    public List<String> reportLines() {
        return List.of("Size: " + advice().text());
    }

    @Override
    public Map<String, Object> fields() {
        return Map.of("advice", AdviceFields.of(advice()));
    }

    @Override
    public Map<String, String> texts() {
        return Map.of("advice", advice().text());
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        if (nowNanos - startedNanos >= Math.max(FRESH_NANOS, Math.min(HOUR_NANOS, startedNanos - beganNanos))) {
            begin(nowNanos);
        }
    }

    private void begin(long nowNanos) {
        PoolAdvisor using = advisor;
        long requests = context.requestsEnded();
        if (using == null || requests == requestsBefore || closed || !working.compareAndSet(false, true)) {
            return;
        }
        long startedBefore = startedNanos;
        long endedBefore = requestsBefore;
        startedNanos = nowNanos;
        requestsBefore = requests;
        try {
            worker.execute(() -> work(using));
        } catch (RuntimeException | Error noThread) {
            // No thread could be started; the next tick tries again.
            startedNanos = startedBefore;
            requestsBefore = endedBefore;
            working.set(false);
        }
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        Class<?> thrown = threw;
        return thrown == null ? null : "the advisor threw " + thrown.getName() + "; the last advice is kept";
    }

    private void work(PoolAdvisor using) {
        long began = context.nanos();
        try {
            AdviceRequest request = request(context.pool().state(), began);
            SizeAdvice size = request == null ? null : using.advise(request);
            if (size != null) {
                last = PoolAdvice.of(size, clock.instant());
                log.made(size, began);
            } else {
                last = request == null ? NO_SIZE : last;
            }
            threw = null;
        } catch (Throwable thrown) {
            threw = thrown.getClass();
            context.failed("the advisor", thrown);
        } finally {
            tookNanos = context.nanos() - began;
            working.set(false);
        }
    }

    private @Nullable AdviceRequest request(PoolState state, long now) {
        int current = !state.bound()
                ? state.pool().max()
                : context.pool().mode() == PoolMode.ADAPT ? state.limit() : state.base();
        if (current == PoolSnapshot.UNKNOWN || current < 1) {
            return null;
        }
        return new AdviceRequest(
                now,
                current,
                context.waitTarget(),
                timeout(),
                context.knee(),
                context.connectP99(),
                context.openLeases(),
                context.pool().classes());
    }

    /** The acquisition timeout, limited to an hour, which also stands for "no timeout", and not below the target. */
    private Duration timeout() {
        long nanos = Math.min(HOUR_NANOS, context.acquisitionTimeout().toNanos());
        return Duration.ofNanos(Math.max(context.waitTarget().toNanos(), nanos));
    }

    @Override
    public void close() {
        closed = true;
    }
}
