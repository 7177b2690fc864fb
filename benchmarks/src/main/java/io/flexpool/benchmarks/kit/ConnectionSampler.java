// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/** Samples the connections: those that the driver has open, and those that requests hold. */
public final class ConnectionSampler implements AutoCloseable {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final IntSupplier total;
    private final IntSupplier busy;
    private final long begin;
    private final List<Sample> samples = new ArrayList<>();
    private final Thread thread = new Thread(this::watch, "connection-sampler");
    private volatile boolean ended;

    /**
     * One sample.
     *
     * @param seconds since the load began
     * @param total physical connections
     * @param busy connections that requests have
     */
    public record Sample(double seconds, int total, int busy) {
        /**
         * Those that no request has.
         *
         * @return not below 0
         */
        public int idle() {
            return Math.max(0, total - busy);
        }
    }

    private ConnectionSampler(IntSupplier total, IntSupplier busy, long begin) {
        this.total = total;
        this.busy = busy;
        this.begin = begin;
        thread.setDaemon(true);
    }

    /**
     * Begins to sample.
     *
     * @param total physical connections
     * @param busy connections that requests have
     * @param begin when the load begins, {@link System#nanoTime()}: nothing is sampled before
     * @return to be closed at the end of the load
     */
    public static ConnectionSampler start(IntSupplier total, IntSupplier busy, long begin) {
        ConnectionSampler sampler = new ConnectionSampler(total, busy, begin);
        sampler.thread.start();
        return sampler;
    }

    /**
     * The mean over time of the physical connections. A sample counts until the next one: in a burst, when the machine is
     * busy, there are fewer of them.
     *
     * @param samples in the order of their time
     * @param fromSeconds earlier samples do not count
     * @return NaN if there are fewer than two since
     */
    public static double meanTotal(List<Sample> samples, double fromSeconds) {
        double sum = 0;
        double seconds = 0;
        for (int n = 1; n < samples.size(); n++) {
            Sample sample = samples.get(n - 1);
            if (sample.seconds() >= fromSeconds) {
                double length = samples.get(n).seconds() - sample.seconds();
                sum += sample.total() * length;
                seconds += length;
            }
        }
        return seconds == 0 ? Double.NaN : sum / seconds;
    }

    private void watch() {
        while (!ended) {
            long now = System.nanoTime();
            if (now - begin >= 0) {
                samples.add(new Sample((now - begin) / 1e9, total.getAsInt(), busy.getAsInt()));
            }
            LockSupport.parkNanos(this, EVERY_NANOS);
        }
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * All samples; call it after {@link #close()}.
     *
     * @return in the order of their time
     */
    public List<Sample> samples() {
        return samples;
    }
}
