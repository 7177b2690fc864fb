// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.PoolListener;
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
 */
final class GuardedListeners {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int LOG_ONE_IN = 100;

    private final String pool;
    /** Changed only while the pool starts. */
    private final List<PoolListener> listeners;

    private final List<MetricsBinder.Binding> tracing = new CopyOnWriteArrayList<>();
    private final AtomicLong errors = new AtomicLong();

    GuardedListeners(String pool, List<PoolListener> listeners) {
        this.pool = pool;
        this.listeners = new CopyOnWriteArrayList<>(listeners);
    }

    /** Adds one of flexpool's own. */
    void add(PoolListener listener) {
        listeners.add(listener);
    }

    /** Adds what a backend hears with. */
    void add(MetricsBinder.Binding binding) {
        PoolListener listener = binding.listener();
        if (listener != null) {
            listeners.add(listener);
        }
        tracing.add(binding);
    }

    /** The trace that the calling thread is in, if a backend knows. */
    @Nullable
    String traceId() {
        for (MetricsBinder.Binding binding : tracing) {
            try {
                String trace = binding.traceId();
                if (trace != null) {
                    return trace;
                }
            } catch (Throwable thrown) {
                failed("a metrics backend", thrown);
            }
        }
        return null;
    }

    /** Tells every listener, in the order in which they were given. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    void tell(Consumer<PoolListener> event) {
        for (PoolListener listener : listeners) {
            guard("a listener", () -> event.accept(listener));
        }
    }

    /**
     * Runs foreign code and swallows whatever it throws, errors too: a listener must not end a lease twice, lose a
     * connection or replace the caller's exception, and there is no one to hand the error to.
     *
     * @return false if it threw
     */
    boolean guard(String who, Runnable foreign) {
        try {
            foreign.run();
            return true;
        } catch (Throwable thrown) {
            failed(who, thrown);
            return false;
        }
    }

    void failed(String who, Throwable thrown) {
        if (errors.getAndIncrement() % LOG_ONE_IN == 0) {
            try {
                LOG.warn("{}: {} threw and was ignored", pool, who, thrown);
            } catch (Throwable alsoThrown) {
                // An appender that throws, or an exception whose message does: there is nobody left to tell.
                errors.getAndIncrement();
            }
        }
    }

    long errors() {
        return errors.get();
    }

    /** One for all: the one that hears nothing if all are, else guarded, so that each hears whatever another throws. */
    LeaseObserver guard(List<LeaseObserver> observers) {
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
