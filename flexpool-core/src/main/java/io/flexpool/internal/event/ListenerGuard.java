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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls foreign code so that it can break nothing: whatever it throws is counted, and the first of each hundred is
 * logged.
 *
 * <p>There are two ways to the listeners. {@link #tell} calls them on the thread on which something happened, as it does
 * for what happens to a request. What the loop finds, what moves the limit, and what a switch of the mode or the end of
 * the pool brings is {@linkplain #raise raised}: remembered in its order, also under a lock, and delivered afterwards, so
 * that a listener which blocks holds up neither the loop nor a lock. flexpool's own listener, which never blocks, is
 * called at once either way.
 */
public final class ListenerGuard {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int LOG_ONE_IN = 100;
    private static final int LONGEST_TRACE = 100;
    /** A listener that takes longer is reported. */
    private static final long BLOCKS_NANOS = 1_000_000_000L;
    /** How long a switch of the mode, and the pool's close, wait for listeners. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private final String pool;
    /** Changed only while the pool starts. */
    private final List<PoolListener> listeners;

    /** Those of flexpool that neither block nor call foreign code. */
    private final List<PoolListener> own = new CopyOnWriteArrayList<>();

    private final Outbox outbox;
    private final Ticker ticker;
    /** What a delivery is inside of; null between two. */
    private volatile @Nullable Call call;

    private boolean blockReported;

    private final List<MetricsBinder.Binding> tracing = new CopyOnWriteArrayList<>();
    private final AtomicLong errors = new AtomicLong();

    /** A call of a listener by a delivery. */
    private record Call(PoolListener listener, long sinceNanos) {}

    public ListenerGuard(String pool, List<PoolListener> listeners, Ticker ticker) {
        this.pool = pool;
        this.listeners = new CopyOnWriteArrayList<>(listeners);
        this.outbox = new Outbox(pool);
        this.ticker = ticker;
    }

    /** Adds one of flexpool's own, which never blocks. */
    public void add(PoolListener listener) {
        own.add(listener);
    }

    /** Adds what a backend hears with. */
    public void add(MetricsBinder.Binding binding) {
        PoolListener listener = binding.listener();
        if (listener != null) {
            listeners.add(listener);
        }
        tracing.add(binding);
    }

    /** The trace that the calling thread is in, if a backend knows. */
    @Nullable
    public String traceId() {
        for (MetricsBinder.Binding binding : tracing) {
            try {
                String trace = binding.traceId();
                if (trace != null) {
                    return PlainText.line(trace, LONGEST_TRACE);
                }
            } catch (Throwable thrown) {
                failed("a metrics backend", thrown);
            }
        }
        return null;
    }

    /** Tells every listener, in the order in which they were given, on the calling thread. */
    public void tell(PoolEvent event) {
        tellOwn(event);
        for (PoolListener listener : listeners) {
            guard("a listener", () -> listener.onEvent(event));
        }
    }

    private void tellOwn(PoolEvent event) {
        for (PoolListener listener : own) {
            guard("a listener", () -> listener.onEvent(event));
        }
    }

    /** Remembers an event that is to be delivered: by {@link #deliver}, {@link #deliverElsewhere} or {@link #settle}. */
    public void raise(PoolEvent event) {
        tellOwn(event);
        if (!listeners.isEmpty()) {
            outbox.add(() -> call(listener -> listener.onEvent(event)));
        }
    }

    /** The last event, which is never dropped. */
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

    /** Delivers what was raised on this thread, unless another one is at it. */
    public void deliver() {
        outbox.deliver();
    }

    /** Has a thread of its own deliver what was raised. */
    public void deliverElsewhere() {
        outbox.deliverElsewhere();
    }

    /** Has what was raised delivered, and waits for that, but not for a listener that blocks. */
    public void settle() {
        outbox.settle(blocked(ticker.nanos()) == null ? PATIENCE_NANOS : 0);
    }

    /** Events that were dropped because a listener blocked. */
    public long dropped() {
        return outbox.dropped();
    }

    /** Which listener blocks, in words; null if none does. */
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

    /** Logs a listener that blocks, once each time. Used by the loop's thread alone. */
    public void reportBlocked(long nowNanos) {
        String blocked = blocked(nowNanos);
        if (blocked != null && !blockReported) {
            guard("the log", () -> LOG.warn("{}: {}", pool, blocked));
        }
        blockReported = blocked != null;
    }

    /** No thread waits for events any more. */
    public void close() {
        outbox.close();
    }

    /**
     * Runs foreign code and swallows whatever it throws, errors too: a listener must not end a lease twice, lose a
     * connection or replace the caller's exception, and there is no one to hand the error to.
     *
     * @return false if it threw
     */
    public boolean guard(String who, Runnable foreign) {
        try {
            foreign.run();
            return true;
        } catch (Throwable thrown) {
            failed(who, thrown);
            return false;
        }
    }

    public void failed(String who, Throwable thrown) {
        if (errors.getAndIncrement() % LOG_ONE_IN == 0) {
            try {
                LOG.warn("{}: {} threw and was ignored", pool, who, PrintableFailure.of(thrown));
            } catch (Throwable alsoThrown) {
                // An appender that throws, or an exception whose message does: there is nobody left to tell.
                errors.getAndIncrement();
            }
        }
    }

    public long errors() {
        return errors.get();
    }

    /** One for all: the one that hears nothing if all are, else guarded, so that each hears whatever another throws. */
    public LeaseObserver guard(List<LeaseObserver> observers) {
        LeaseObserver all = LeaseObserver.NONE;
        for (LeaseObserver observer : observers) {
            if (observer != LeaseObserver.NONE) {
                LeaseObserver guarded = guard(observer);
                all = all == LeaseObserver.NONE ? guarded : new Both(all, guarded);
            }
        }
        return all;
    }

    private record Both(LeaseObserver first, LeaseObserver second) implements LeaseObserver {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            first.acquired(requestedNanos, endedNanos, outcome);
            second.acquired(requestedNanos, endedNanos, outcome);
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            first.released(acquiredNanos, releasedNanos);
            second.released(acquiredNanos, releasedNanos);
        }
    }

    private LeaseObserver guard(LeaseObserver observer) {
        return new LeaseObserver() {
            @Override
            public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
                try {
                    observer.acquired(requestedNanos, endedNanos, outcome);
                } catch (Throwable thrown) {
                    failed("the lease observer", thrown);
                }
            }

            @Override
            public void released(long acquiredNanos, long releasedNanos) {
                try {
                    observer.released(acquiredNanos, releasedNanos);
                } catch (Throwable thrown) {
                    failed("the lease observer", thrown);
                }
            }
        };
    }
}
