// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.internal.resize.Resizer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the watch over a pool ends: with the pool, or without it. */
final class PoolLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** How long a request that has opened the pool again waits for its close at most. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;

    private final PoolConfig parts;
    private final ModeSwitch modes;
    private final Ended ended;
    private volatile boolean released;
    /** How many have found the pool open again since it was last closed. */
    private final AtomicInteger reopened = new AtomicInteger();

    /**
     * What ends.
     *
     * @param gate null if there is none
     * @param resizer null in the same case
     * @param listeners are told of the end
     * @param closed whether requests are refused because it is over
     * @param refuseAll from then on they are
     * @param stop ends what runs for the pool
     * @param unbind lets the backends go
     */
    record Ended(
            @Nullable Gate gate,
            @Nullable Resizer resizer,
            ListenerGuard listeners,
            BooleanSupplier closed,
            Runnable refuseAll,
            Runnable stop,
            Runnable unbind) {}

    PoolLifecycle(PoolConfig parts, ModeSwitch modes, Ended ended) {
        this.parts = parts;
        this.modes = modes;
        this.ended = ended;
    }

    boolean close() {
        return end(false, parts.adapter()::close);
    }

    /** As close, but the pool stays open, with its own sizes. */
    boolean release() {
        return end(true, () -> {
            if (ended.resizer() != null && modes.limiting()) {
                ended.resizer().suspend(parts.adapter()::restore);
            }
        });
    }

    /**
     * The pool may have opened again, for a request that was inside while it was closed. Whoever finds it open has it
     * closed by a thread that does nothing else, and waits for that thread for a moment: a pool's close may take long, and
     * no request waits for what others leave behind.
     */
    void closeAgain() {
        if (released || isClosed()) {
            return;
        }
        if (reopened.getAndIncrement() == 0) {
            Thread closer = new Thread(null, this::closeUntilClosed, "flexpool-close-" + parts.name(), 0, false);
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
            return parts.adapter().isClosed();
        } catch (Throwable unknown) {
            return false;
        }
    }

    /** Who asks while this runs need not close it himself: once more for all of them. */
    private void closeUntilClosed() {
        int asked;
        do {
            asked = reopened.get();
            ended.listeners().guard("the adapter's close", () -> {
                try {
                    parts.adapter().close();
                } catch (Exception thrown) {
                    LOG.warn("{}: the pool's close threw", parts.name(), PrintableFailure.of(thrown));
                }
            });
        } while (!reopened.compareAndSet(asked, 0));
    }

    @FunctionalInterface
    private interface Ending {
        void run() throws Exception;
    }

    private boolean end(boolean staysOpen, Ending ofThePool) {
        if (!modes.between(() -> refuse(staysOpen))) {
            return false;
        }
        ended.stop().run();
        if (ended.gate() != null) {
            // Those who wait get a permit, and with it the answer that the pool is closed.
            ended.gate().open(parts.ticker().nanos());
        }
        try {
            ofThePool.run();
        } catch (Exception thrown) {
            ended.listeners()
                    .guard(
                            "the log",
                            () -> LOG.warn("{}: the pool's close threw", parts.name(), PrintableFailure.of(thrown)));
        } finally {
            ended.listeners().raiseClosed();
            ended.listeners().settle();
            ended.listeners().close();
            // After that, for backends hear too.
            ended.unbind().run();
        }
        return true;
    }

    /** False if it is over already. */
    private boolean refuse(boolean staysOpen) {
        if (ended.closed().getAsBoolean()) {
            return false;
        }
        // First this: whoever is inside and finds it closed would close the pool again.
        released = staysOpen;
        ended.refuseAll().run();
        return true;
    }
}
