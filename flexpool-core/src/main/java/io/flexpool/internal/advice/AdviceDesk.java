// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.advice;

import io.flexpool.advice.AdviceRequest;
import io.flexpool.advice.AdvisorProvider;
import io.flexpool.advice.LeaseSink;
import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.PoolAdvice.Status;
import io.flexpool.advice.PoolAdvisor;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.discovery.Providers;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.pool.PoolClassState;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last advice on one pool's size, and has the next one worked out when it is due: whenever the pool has lived twice
 * as long, at most once an hour; or when it is read and older than a minute. Never on the thread of a reader, on one daemon
 * thread for all pools, and at most for a hundredth of the time. Thread-safe.
 */
public final class AdviceDesk {
    private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    /** Of the time that working it out has taken last. */
    private static final int PAUSES = 100;

    private static final ThreadPoolExecutor WORKER = worker();
    private static final PoolAdvice MISSING = PoolAdvice.without(
            Status.MISSING, "No advice: io.flexpool:flexpool-advisor, which works it out, is not on the class path.");
    private static final PoolAdvice OFF = PoolAdvice.without(Status.OFF, "No advice: flexpool.advice is false.");
    private static final PoolAdvice FIRST = PoolAdvice.without(Status.EARLY, "No advice yet: it comes after a minute.");
    private static final PoolAdvice EARLY =
            PoolAdvice.without(Status.EARLY, "No advice yet: too few connections have been requested.");
    private static final PoolAdvice SOON = PoolAdvice.without(Status.EARLY, "No advice yet: it is being worked out.");
    private static final PoolAdvice NO_SIZE =
            PoolAdvice.without(Status.EARLY, "No advice: the pool does not report how many connections it may have.");

    private final PoolContext context;
    private final LongFunction<List<OpenLease>> openLeases;
    private final IntSupplier knee;
    private final AdviceLog log;
    private final InstantSource clock = InstantSource.system();
    private final long beganNanos;
    private final Executor worker;
    private final @Nullable PoolAdvisor advisor;
    private final AtomicBoolean working = new AtomicBoolean();
    private volatile PoolAdvice last;
    /** When the last one was begun, and how long it took. */
    private volatile long askedNanos;

    private volatile long tookNanos;
    /** The class of what the advisor threw last; null if it returned. */
    private volatile @Nullable Class<?> threw;
    /** How many requests had ended then. */
    private volatile long requestsBefore;

    /**
     * The desk of a pool.
     *
     * @param openLeases reads the open leases at a time of the pool's clock
     * @param knee what the controller has measured; 0 if nothing
     */
    public AdviceDesk(PoolContext context, LongFunction<List<OpenLease>> openLeases, IntSupplier knee) {
        this(context, openLeases, knee, found(context), WORKER);
    }

    AdviceDesk(
            PoolContext context,
            LongFunction<List<OpenLease>> openLeases,
            IntSupplier knee,
            @Nullable PoolAdvisor advisor,
            Executor worker) {
        this.context = context;
        this.openLeases = openLeases;
        this.knee = knee;
        this.advisor = advisor;
        this.worker = worker;
        this.log = new AdviceLog(context);
        this.beganNanos = context.nanos();
        this.askedNanos = beganNanos;
        this.last = advisor != null ? EARLY : isOn(context) ? MISSING : OFF;
    }

    private static ThreadPoolExecutor worker() {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.named("flexpool-advisor"));
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    private static boolean isOn(PoolContext context) {
        return context.config().values().flag(CoreKey.ADVICE);
    }

    private static @Nullable PoolAdvisor found(PoolContext context) {
        List<PoolAdvisor> advisors = new ArrayList<>();
        if (isOn(context)) {
            Providers.each(AdvisorProvider.class, provider -> {
                if (advisors.isEmpty()) {
                    advisors.add(provider.advisor(context.name()));
                }
            });
        }
        return advisors.isEmpty() ? null : advisors.get(0);
    }

    /** What takes the blocks; empty if there is no advisor. */
    public List<LeaseSink> sinks() {
        return advisor == null ? List.of() : List.of(advisor);
    }

    /** The last advice; has the next one worked out if it is old. */
    public PoolAdvice advice() {
        long now = context.nanos();
        if (now - askedNanos >= Math.max(FRESH_NANOS, PAUSES * tookNanos)) {
            begin(now);
        }
        return last != EARLY ? last : working.get() ? SOON : now - beganNanos < FRESH_NANOS ? FIRST : EARLY;
    }

    /** One tick. */
    public void tick(long nowNanos) {
        if (nowNanos - askedNanos >= Math.max(FRESH_NANOS, Math.min(HOUR_NANOS, askedNanos - beganNanos))) {
            begin(nowNanos);
        }
    }

    private void begin(long nowNanos) {
        PoolAdvisor asked = advisor;
        long requests = context.recorder().ended();
        if (asked == null
                || requests == requestsBefore
                || context.admission().closed()
                || !working.compareAndSet(false, true)) {
            return;
        }
        long askedBefore = askedNanos;
        long endedBefore = requestsBefore;
        askedNanos = nowNanos;
        requestsBefore = requests;
        try {
            worker.execute(() -> work(asked));
        } catch (RuntimeException | Error noThread) {
            // The next tick tries again.
            askedNanos = askedBefore;
            requestsBefore = endedBefore;
            working.set(false);
        }
    }

    /** That the last advice failed; null if it did not. */
    public @Nullable String trouble() {
        Class<?> thrown = threw;
        return thrown == null ? null : "the advisor threw " + thrown.getName() + "; its last advice stays";
    }

    private void work(PoolAdvisor asked) {
        long began = context.nanos();
        try {
            PoolState state = context.state(began);
            Request request = request(state, began);
            SizeAdvice size = request == null ? null : asked.advise(request);
            if (size != null) {
                last = PoolAdvice.of(size, clock.instant());
                log.made(size, began);
            } else {
                last = request == null ? NO_SIZE : last;
            }
            threw = null;
        } catch (Throwable thrown) {
            threw = thrown.getClass();
            context.listeners().failed("the advisor", thrown);
        } finally {
            tookNanos = context.nanos() - began;
            working.set(false);
        }
    }

    /** What an advice is asked for. */
    private record Request(
            long nowNanos,
            int current,
            Duration waitTarget,
            Duration timeout,
            OptionalInt knee,
            Duration connectP99,
            List<OpenLease> openLeases,
            List<PoolClassState> classes)
            implements AdviceRequest {}

    private @Nullable Request request(PoolState state, long now) {
        int current = !state.bound()
                ? state.pool().max()
                : context.mode().mode() == PoolMode.ADAPT
                        ? state.limit()
                        : context.limits().base();
        if (current == PoolSnapshot.UNKNOWN || current < 1) {
            return null;
        }
        int measured = knee.getAsInt();
        RequestClasses classes = context.classes();
        return new Request(
                now,
                current,
                context.config().values().need(CoreKey.SIZING_WAIT_TARGET, Duration.class),
                timeout(),
                measured < 1 ? OptionalInt.empty() : OptionalInt.of(measured),
                Duration.ofNanos(context.recorder().connectP99Nanos()),
                List.copyOf(openLeases.apply(now)),
                classes == null ? List.of() : classes.states());
    }

    /** At most an hour, also for a pool whose requests have no timeout, and never less than the target. */
    private Duration timeout() {
        Duration target = context.config().values().need(CoreKey.SIZING_WAIT_TARGET, Duration.class);
        long nanos = Math.min(HOUR_NANOS, context.config().timeoutNanos());
        return Duration.ofNanos(Math.max(target.toNanos(), nanos));
    }
}
