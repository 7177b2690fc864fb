// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records pool events as JDK Flight Recorder events of the category {@code flexpool}.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(JfrEvents.create()).build();
 * }</pre>
 *
 * <p>{@code flexpool.ConnectionAcquisition} and {@code flexpool.ConnectionLease} are recorded for each call that took
 * longer than the event's setting {@code longerThan} (10 ms and 100 ms by default);
 * {@code flexpool.AcquisitionTimeout}, {@code AcquisitionRejected}, {@code ConnectFailed}, {@code PoolResized}, {@code
 * CircuitChanged} and {@code LeakSuspected} always; {@code flexpool.PoolFigures} and {@code flexpool.PoolDurations}
 * every ten seconds. All are enabled in a recording unless its settings disable them.
 *
 * <p>Events are recorded when a call has ended. JFR cannot backdate them, so their duration is in a field ({@code
 * waited}, {@code held}), and JFR's own setting {@code threshold} must be left at 0: it would suppress them all.
 *
 * <p>Without a recording an event costs one check. If the JDK's module {@code jdk.jfr} is missing, or JFR is not
 * available, nothing is recorded, which is logged once per pool. A second pool of one name is shown as {@code
 * <name>#2}. Immutable and thread-safe; one instance may serve many pools.
 */
public final class JfrEvents implements MetricsBinder {
    private static final Logger LOG = LoggerFactory.getLogger(JfrEvents.class);

    private JfrEvents() {}

    /**
     * Records pools.
     *
     * @return a binder for any number of pools
     */
    public static JfrEvents create() {
        return new JfrEvents();
    }

    /**
     * Starts to record a pool in all recordings. Thread-safe.
     *
     * @param pool the pool to read and to listen to
     * @return ends it; further calls have no effect
     */
    @Override
    public Binding bind(PoolView pool) {
        if (!available()) {
            LOG.warn(
                    "{}: this Java runtime has no Flight Recorder (module jdk.jfr), so there are no events",
                    pool.name());
            return () -> {};
        }
        return RecordedPool.begin(pool);
    }

    private static boolean available() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, JfrEvents.class.getClassLoader());
            return RecordedPool.possible();
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }
}
