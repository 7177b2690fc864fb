// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.PoolListener;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
    private final List<PoolListener> listeners;
    private final AtomicLong errors = new AtomicLong();

    GuardedListeners(String pool, List<PoolListener> listeners) {
        this.pool = pool;
        this.listeners = List.copyOf(listeners);
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

    /** The observer itself if it is the one that hears nothing, else guarded. */
    LeaseObserver guard(LeaseObserver observer) {
        if (observer == LeaseObserver.NONE) {
            return observer;
        }
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
