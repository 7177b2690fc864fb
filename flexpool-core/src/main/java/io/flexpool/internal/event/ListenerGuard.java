// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls foreign code so that its failures do no harm: exceptions are counted, and logged once a minute for each origin.
 *
 * <p>Events reach listeners in two ways. {@link #publish} calls them on the current thread; it serves events of a
 * request. Events of the tick, of limit changes, mode switches and the pool's end are {@linkplain #raise raised}:
 * queued in order, which is allowed under a lock, and delivered later, so that a blocking listener delays neither the
 * tick nor a lock. In both cases the log of recent events receives the event immediately.
 */
public final class ListenerGuard {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long LOG_EVERY_NANOS = 60_000_000_000L;
    private static final int LONGEST_TRACE = 100;
    private static final int MOST_CAUSES = 10;
    /** The time after which a listener is reported as blocking. */
    private static final long BLOCKS_NANOS = 1_000_000_000L;
    /** How long a mode switch, and the pool's close, wait for listeners. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    /** How long the pool's close waits for the last call to a part or a backend. */
    private static final Duration LAST_PATIENCE = Duration.ofSeconds(5);

    private final String pool;
    /** Changed only while the pool starts. */
    private final List<PoolListener> listeners;

    private final List<MetricsBinder.Binding> tracing = new CopyOnWriteArrayList<>();
    private final EventLog log = new EventLog(InstantSource.system());
    private final AtomicLong errors = new AtomicLong();
    /** By the origin of a failure. */
    private final Map<String, RateLimit> failures = new ConcurrentHashMap<>();

    private final Outbox outbox;
    private final Ticker ticker;
    /** The call of the current delivery; null without one. */
    private volatile @Nullable Call call;

    private boolean blockReported;

    private record Call(PoolListener listener, long sinceNanos) {}

    public ListenerGuard(String pool, List<PoolListener> listeners, Ticker ticker) {
        this.pool = pool;
        this.listeners = new CopyOnWriteArrayList<>(listeners);
        this.outbox = new Outbox(pool);
        this.ticker = ticker;
    }

    /** Adds a backend's listener and trace source. */
    public void add(MetricsBinder.Binding binding) {
        PoolListener listener = binding.listener();
        if (listener != null) {
            listeners.add(listener);
        }
        tracing.add(binding);
    }

    /** The trace id of the calling thread; null if no backend provides one. */
    @Nullable
    public String traceId() {
        for (MetricsBinder.Binding binding : tracing) {
            String trace = ask("a metrics backend", binding::traceId, null);
            if (trace != null) {
                return PlainText.line(trace, LONGEST_TRACE);
            }
        }
        return null;
    }

    /** Calls every listener, in registration order, on the calling thread. */
    public void publish(PoolEvent event) {
        guard("a listener", () -> log.add(event));
        for (PoolListener listener : listeners) {
            guard("a listener", () -> listener.onEvent(event));
        }
    }

    /** Queues an event for delivery by {@link #deliver}, {@link #deliverElsewhere} or {@link #settle}. */
    public void raise(PoolEvent event) {
        guard("a listener", () -> log.add(event));
        if (!listeners.isEmpty()) {
            outbox.add(() -> call(listener -> listener.onEvent(event)));
        }
    }

    /** Queues the last event, which is never dropped. */
    public void raiseClosed() {
        if (!listeners.isEmpty()) {
            outbox.addAlways(() -> call(listener -> listener.onClosed(pool)));
        }
    }

    private void call(Consumer<PoolListener> event) {
        for (PoolListener listener : listeners) {
            call = new Call(listener, ticker.nanos());
            try {
                guard("a listener", () -> event.accept(listener));
            } finally {
                call = null;
            }
        }
    }

    /** Delivers queued events on this thread, unless another thread is delivering. */
    public void deliver() {
        outbox.deliver();
    }

    /** Delivers queued events on a separate thread. */
    public void deliverElsewhere() {
        outbox.deliverElsewhere();
    }

    /** Delivers queued events on a separate thread and waits for it, at most 2 s and not for a blocking listener. */
    public void settle() {
        outbox.settle(blocked(ticker.nanos()) == null ? PATIENCE_NANOS : 0);
    }

    /** The last events, oldest first. */
    public List<PoolEvent.Recent> recentEvents() {
        return log.events();
    }

    /** Events that were dropped because a listener blocked. */
    public long dropped() {
        return outbox.dropped();
    }

    /** Describes the blocking listener; null if none blocks. */
    @Nullable
    public String blocked(long nowNanos) {
        Call now = call;
        if (now == null || nowNanos - now.sinceNanos() < BLOCKS_NANOS) {
            return null;
        }
        return "the listener " + now.listener().getClass().getName() + " has not returned for "
                + Words.millis(nowNanos - now.sinceNanos()) + "; " + outbox.waiting() + " events wait, "
                + outbox.dropped() + " have been dropped";
    }

    /** Logs a blocking listener, once per block. Used by the tick's thread only. */
    public void reportBlocked(long nowNanos) {
        String blocked = blocked(nowNanos);
        if (blocked != null && !blockReported) {
            guard("the log appender", () -> LOG.warn("{}: {}", pool, blocked));
        }
        blockReported = blocked != null;
    }

    /** Ends the delivery thread; later events are delivered by the thread that queues them. */
    public void close() {
        outbox.close();
    }

    /**
     * Runs foreign code and swallows its exceptions and errors: an exception of a listener would otherwise end a lease
     * twice, lose a connection or replace the caller's exception. Returns false if the code threw.
     */
    public boolean guard(String who, Runnable foreign) {
        return threw(who, foreign) == null;
    }

    /** Like {@link #guard(String, Runnable)}; returns the class of the exception, null without one. */
    public @Nullable Class<?> threw(String who, Runnable foreign) {
        Throwable thrown = thrownBy(Executors.callable(foreign));
        if (thrown == null) {
            return null;
        }
        failed(who, thrown);
        return thrown.getClass();
    }

    /** The exception or error of a call; null if it returns. */
    public static @Nullable Throwable thrownBy(Callable<?> call) {
        try {
            call.call();
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    /**
     * Like {@link #guard(String, Runnable)}, with a result; returns the given value, perhaps null, if the code throws.
     */
    @NullUnmarked
    public <T> T ask(String who, Callable<T> foreign, T otherwise) {
        try {
            return foreign.call();
        } catch (Throwable thrown) {
            failed(who, thrown);
            return otherwise;
        }
    }

    /**
     * Returns whether memory, stack or threads ran out, so that the code itself is not at fault. The next call may
     * succeed, so a thread that calls foreign code periodically does not end because of it.
     */
    public static boolean ofTheMachine(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < MOST_CAUSES; depth++) {
            if (each instanceof VirtualMachineError) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }

    /** Logs an event, at WARN or at INFO. An appender that throws is counted. */
    public void log(PoolEvent event, boolean warns) {
        Consumer<String> line = warns ? LOG::warn : LOG::info;
        guard("the log appender", () -> line.accept(event.describe()));
    }

    /** Runs a call that may hang, as {@link BoundedCall#run}, and logs if it continues on its thread. */
    public boolean bounded(String thread, String what, Duration patience, Callable<?> call, Runnable late)
            throws Exception {
        boolean returned = BoundedCall.run("flexpool-" + thread + "-" + pool, patience, call, late);
        if (!returned) {
            String text = "{}: {} has not returned for {} ms and continues in the background";
            guard("the log appender", () -> LOG.warn(text, pool, what, patience.toMillis()));
        }
        return returned;
    }

    /** Like {@link #guard(String, Runnable)}, for the last call to foreign code: the pool is closed even if it hangs. */
    public void last(String who, Runnable foreign) {
        ask(who, () -> bounded("end", who, LAST_PATIENCE, Executors.callable(foreign), () -> {}), false);
    }

    /** Counts a failure of foreign code, and logs one a minute. Never throws. */
    public void failed(String who, Throwable thrown) {
        errors.getAndIncrement();
        try {
            long now = ticker.nanos();
            if (failures.computeIfAbsent(who, first -> new RateLimit(LOG_EVERY_NANOS, now))
                    .permits(now)) {
                LOG.warn("{}: ignored an exception in {}", pool, who, PrintableFailure.of(thrown));
            }
        } catch (Throwable alsoThrown) {
            // If the appender or the exception's message throws, the failure can only be counted.
            errors.getAndIncrement();
        }
    }

    public long errors() {
        return errors.get();
    }

    /** Combines observers; each is called even if another throws. Returns NONE if all are NONE. */
    public LeaseObserver guard(List<LeaseObserver> observers) {
        List<LeaseObserver> all = new ArrayList<>();
        for (LeaseObserver one : observers) {
            if (one != LeaseObserver.NONE) {
                all.add(one);
            }
        }
        return all.isEmpty() ? LeaseObserver.NONE : new Observers(all.toArray(new LeaseObserver[0]));
    }

    private final class Observers implements LeaseObserver {
        private final LeaseObserver[] all;

        Observers(LeaseObserver[] all) {
            this.all = all;
        }

        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            each(requestedNanos, endedNanos, outcome);
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            each(acquiredNanos, releasedNanos, null);
        }

        /** Reports the end of an acquisition, or of a lease if the outcome is null. */
        private void each(long beganNanos, long endedNanos, @Nullable AcquisitionOutcome outcome) {
            for (LeaseObserver observer : all) {
                try {
                    if (outcome == null) {
                        observer.released(beganNanos, endedNanos);
                    } else {
                        observer.acquired(beganNanos, endedNanos, outcome);
                    }
                } catch (Throwable thrown) {
                    failed("the lease observer", thrown);
                }
            }
        }
    }
}
