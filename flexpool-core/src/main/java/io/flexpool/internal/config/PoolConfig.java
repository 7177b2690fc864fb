// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The checked configuration of a pool. Listeners, strategies and backends are in their order.
 *
 * @param otherNames the application's other names of the pool
 * @param target the wrapped data source
 * @param values the values of the keys; the parameters below replace values that depend on the pool or on each other
 * @param gated whether the pool has a gate, open or not
 * @param bound whether the gate limits the pool even if the sizing controller does not act
 * @param base the first lease limit, if gated
 * @param ceiling the highest lease limit, if gated
 * @param ceilingKnown whether a ceiling was given, without which the controller cannot act
 * @param sizing the sizing controller's settings
 * @param controller creates another controller for the first mode, in tests; otherwise null
 * @param keep how long unneeded growth is kept before it is returned at once; null for the gradual return
 * @param timeoutNanos the acquisition timeout; Long.MAX_VALUE without one
 * @param deadlineNanos the deadline of a whole request; Long.MAX_VALUE if there is none
 * @param grows whether a strategy may request growth
 * @param classes the classes of requests in their order; empty if there is one for all
 * @param observer notified of every call
 * @param parts the parts on the class path
 */
public record PoolConfig(
        String name,
        List<String> otherNames,
        DataSource target,
        PoolAdapter adapter,
        Values values,
        boolean gated,
        boolean bound,
        int base,
        int ceiling,
        boolean ceilingKnown,
        SizingSettings sizing,
        @Nullable BiFunction<SizingSettings, PoolMode, SizingPolicy> controller,
        @Nullable Duration keep,
        long timeoutNanos,
        long deadlineNanos,
        boolean grows,
        List<Consulted> strategies,
        List<PoolListener> listeners,
        List<ClassRule> classes,
        LeaseObserver observer,
        List<MetricsBinder> metrics,
        Ticker ticker,
        PartTable parts) {

    /** The largest accepted limit: a larger number is most likely a typing error. */
    public static final int LARGEST_LIMIT = 10_000;

    /** Whether the gate limits the pool in a mode. */
    public boolean limitsIn(PoolMode mode) {
        return gated && (mode == PoolMode.ADAPT || (mode == PoolMode.RECOMMEND && bound));
    }

    /** Whether the gate limits the pool from the start; if not, the pool begins as it is. */
    public boolean limitsAtFirst() {
        return limitsIn(mode());
    }

    /** The mode to start in. */
    public PoolMode mode() {
        return values.need(CoreKey.MODE, PoolMode.class);
    }

    /** Whether a base is configured; otherwise it is the pool's own max. */
    public boolean baseGiven() {
        return values.has(CoreKey.BASE);
    }

    /** The cap before the first tick of the parts; {@link Integer#MAX_VALUE} for no cap. */
    public int firstCap() {
        return parts.firstCap(values);
    }

    /** The age from which a lease is a suspected leak; as {@link Values#nanos}. */
    public long leakNanos() {
        return values.nanos(CoreKey.LEAK_THRESHOLD);
    }

    /** Whether an explanation is one line in logs and exceptions. */
    public boolean oneLineExplanations() {
        return values.need(CoreKey.EXPLANATION_FORMAT, CoreKey.ExplanationFormat.class)
                == CoreKey.ExplanationFormat.LINE;
    }

    public boolean fair() {
        return values.need(CoreKey.ORDER, CoreKey.WaitOrder.class) == CoreKey.WaitOrder.FAIR;
    }

    /**
     * A strategy, consulted after failed attempts.
     *
     * @param afterNanos the longest wait before the strategy is first consulted; Long.MAX_VALUE for never
     * @param leastNanos the shortest wait before that, if requests usually wait less
     */
    public record Consulted(AcquisitionStrategy strategy, long afterNanos, long leastNanos) {
        /** A wait that is this much longer than usual is unusual. */
        private static final int UNUSUAL = 4;

        /**
         * When the strategy is first consulted.
         *
         * @param usualNanos the usual wait; Long.MAX_VALUE if unknown
         * @return nanoseconds from the request on; Long.MAX_VALUE for never
         */
        public long dueNanos(long usualNanos) {
            return usualNanos > afterNanos / UNUSUAL ? afterNanos : Math.max(leastNanos, UNUSUAL * usualNanos);
        }
    }

    /** Whether the pool accepts a timeout per call. */
    public boolean perCallTimeout() {
        return adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT);
    }

    /** Whether the acquisition timeout differs from the pool's, and the pool accepts a timeout per call. */
    public boolean ownTimeout() {
        if (!perCallTimeout()) {
            return false;
        }
        Optional<Duration> own = adapter.acquisitionTimeout();
        return (own.isPresent() ? own.get().toNanos() : Long.MAX_VALUE) != timeoutNanos;
    }
}
