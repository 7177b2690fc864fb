// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What was said of a pool so far, by code or by properties; nothing of it is checked yet. For one thread. */
public final class Settings {
    @Nullable
    public DataSource target;

    @Nullable
    public String jndiName;

    @Nullable
    public String name;

    public boolean enabled = true;

    @Nullable
    public Integer base;

    @Nullable
    public Duration acquisitionTimeout;

    @Nullable
    public Duration slowAcquisition;

    @Nullable
    public Duration longLease;

    @Nullable
    public PoolAdapter adapter;

    /** What of this properties gave, by key without prefix. */
    final Map<String, GivenProperty> properties = new HashMap<>();

    public final LeaseSettings leases = new LeaseSettings();
    public final ModeSettings sizing = new ModeSettings();
    public LeaseObserver observer = LeaseObserver.NONE;
    public Ticker ticker = Ticker.SYSTEM;
    public final List<AcquisitionStrategy> strategies = new ArrayList<>();
    public final List<PoolListener> listeners = new ArrayList<>();
    public final List<MetricsBinder> metrics = new ArrayList<>();
    public final List<MetricsProvider> providers = new ArrayList<>();

    public Settings() {}

    /**
     * How a refusal of any of this is worded.
     *
     * @param pool the pool's name
     */
    public Refusals refusals(String pool) {
        return new Refusals(pool, properties);
    }

    /** The key that says how many connections may be out at most. */
    public CoreKey ceilingKey() {
        if (sizing.ceiling != null) {
            return CoreKey.CEILING;
        }
        boolean grows = strategies.stream()
                .anyMatch(strategy -> strategy.requirements().ceiling().isPresent());
        return grows ? CoreKey.GROW_ON_WAIT_CEILING : CoreKey.BASE;
    }

    /** A copy that properties may be written into, so that a builder can build again. */
    public Settings copy() {
        Settings copy = new Settings();
        copy.properties.putAll(properties);
        copy.target = target;
        copy.jndiName = jndiName;
        copy.name = name;
        copy.enabled = enabled;
        copy.base = base;
        copy.acquisitionTimeout = acquisitionTimeout;
        copy.slowAcquisition = slowAcquisition;
        copy.longLease = longLease;
        copy.leases.copyFrom(leases);
        copy.sizing.copyFrom(sizing);
        copy.adapter = adapter;
        copy.observer = observer;
        copy.ticker = ticker;
        copy.strategies.addAll(strategies);
        copy.listeners.addAll(listeners);
        copy.metrics.addAll(metrics);
        copy.providers.addAll(providers);
        return copy;
    }
}
