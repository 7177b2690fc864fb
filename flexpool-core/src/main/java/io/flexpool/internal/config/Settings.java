// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What was said of a pool so far, by code or by properties; nothing of it is checked yet. For one thread. */
public final class Settings {
    @Nullable
    public DataSource target;

    /** What keys say. */
    public Values values = Values.NONE;

    @Nullable
    public PoolAdapter adapter;

    /** What properties gave, by key without prefix, in their order. */
    final Map<String, Refusals.Given> properties = new LinkedHashMap<>();

    /** Makes another sizing controller than {@code SizingController}, in tests. */
    public @Nullable BiFunction<SizingSettings, PoolMode, SizingPolicy> controller;

    public LeaseObserver observer = LeaseObserver.NONE;
    public Ticker ticker = Ticker.SYSTEM;
    public final List<AcquisitionStrategy> strategies = new ArrayList<>();
    public final List<PoolListener> listeners = new ArrayList<>();
    public final List<MetricsBinder> metrics = new ArrayList<>();
    public final List<MetricsProvider> providers = new ArrayList<>();

    /** How a refusal of any of this is worded. */
    public Refusals refusals(String pool) {
        return new Refusals(pool, properties);
    }

    public void set(CoreKey key, Object value) {
        values = values.with(key, value);
    }

    public @Nullable String name() {
        return values.get(CoreKey.NAME, String.class);
    }

    /** A copy that properties may be written into, so that a builder can build again. */
    public Settings copy() {
        Settings copy = new Settings();
        copy.properties.putAll(properties);
        copy.target = target;
        copy.values = values;
        copy.controller = controller;
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
