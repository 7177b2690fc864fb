// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.PrintableFailure;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a pool once more that a request which was inside during its close has opened again. Thread-safe. */
final class PoolCloser {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** How long a request that has opened the pool again waits for its close at most. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;

    private final PoolContext context;
    private volatile boolean released;
    /** How many have found the pool open again since it was last closed. */
    private final AtomicInteger reopened = new AtomicInteger();

    PoolCloser(PoolContext context) {
        this.context = context;
    }

    /** Whether the pool is to stay open after the watch has ended; before any request can find it ended. */
    void released(boolean staysOpen) {
        released = staysOpen;
    }

    /**
     * The pool may have opened again, for a request that was inside while it was closed. A request that finds it open has it
     * closed by a thread that does nothing else, and waits for that thread for a moment: a pool's close may take long, and
     * no request waits for what others leave behind.
     */
    void closeAgain() {
        if (released || isClosed()) {
            return;
        }
        if (reopened.getAndIncrement() == 0) {
            Thread closer = new Thread(null, this::closeUntilClosed, "flexpool-close-" + context.name(), 0, false);
            closer.setDaemon(true);
            closer.setContextClassLoader(null);
            begin(closer);
        }
    }

    private void begin(Thread closer) {
        try {
            closer.start();
            closer.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Throwable noThread) {
            closeUntilClosed();
        }
    }

    private boolean isClosed() {
        try {
            return context.adapter().isClosed();
        } catch (Throwable unknown) {
            return false;
        }
    }

    /** A request that asks while this runs need not close the pool itself: it is closed once more for all of them. */
    private void closeUntilClosed() {
        int asked;
        do {
            asked = reopened.get();
            context.listeners().guard("the adapter's close", () -> {
                try {
                    context.adapter().close();
                } catch (Exception thrown) {
                    LOG.warn("{}: the pool's close threw", context.name(), PrintableFailure.of(thrown));
                }
            });
        } while (!reopened.compareAndSet(asked, 0));
    }
}
