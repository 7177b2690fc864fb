// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C, or a kind kill, as a question: the scenario asks now and then whether it shall end, and the JVM stays until it
 * has written what it measured and closed this. Keep it open around measuring and writing:
 *
 * <pre>{@code
 * try (Interrupt stop = Interrupt.watch()) {
 *     while (more() && !stop.asked()) {
 *         measure();
 *     }
 *     options.publish(result(!stop.asked()), out);
 * }
 * }</pre>
 *
 * <p>The JVM's other shutdown hooks run at the same time. A database server that ends with the JVM is gone soon after
 * {@link #asked()} turns true, so what was under way then is no measurement: leave it out. Thread-safe.
 */
public final class Interrupt implements AutoCloseable {
    /** A scenario that does not end then does not end at all. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(Interrupt.class);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::ask, "benchmark-interrupt");

    private Interrupt() {}

    /**
     * Begins to watch.
     *
     * @return to be closed when all is written
     */
    public static Interrupt watch() {
        Interrupt interrupt = new Interrupt();
        Runtime.getRuntime().addShutdownHook(interrupt.hook);
        return interrupt;
    }

    /**
     * Whether the run shall end early.
     *
     * @return true once a stop was requested; never false again
     */
    public boolean asked() {
        return asked.getCount() == 0;
    }

    /**
     * Waits, at most until a stop is requested.
     *
     * @param time how long at most
     * @return true if a stop was requested
     * @throws InterruptedException if the thread is interrupted
     */
    public boolean askedWithin(Duration time) throws InterruptedException {
        return asked.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Called by the JVM when it shuts down. */
    void ask() {
        asked.countDown();
        try {
            if (!closed.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.error("The scenario did not end within {} s; nothing is written.", PATIENCE.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the JVM end. */
    @Override
    public void close() {
        closed.countDown();
        if (!asked()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM began to end just now; the hook finds that all is done.
            }
        }
    }
}
