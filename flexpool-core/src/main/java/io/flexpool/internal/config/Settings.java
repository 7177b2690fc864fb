// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.shared.PlainText;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a pool so far, by code or by properties, not checked yet. For one thread. */
public final class Settings {
    @Nullable
    public DataSource target;

    /** The values of keys. */
    public Values values = Values.NONE;

    @Nullable
    public PoolAdapter adapter;

    /** The problems so far. */
    public final Problems problems = new Problems();

    /** Sections of pools with similar names, one line each: see {@link ConfigReader}. */
    public final Map<String, String> nearlyMeant = new LinkedHashMap<>();

    /** The given properties, by key without prefix, in their order. */
    final Map<String, Refusals.Given> properties = new LinkedHashMap<>();

    /** Makes another sizing controller than {@code SizingController}, in tests. */
    public @Nullable BiFunction<SizingSettings, PoolMode, SizingPolicy> controller;

    /** The application's other names of the pool. */
    public final List<String> otherNames = new ArrayList<>();

    /** The classes of requests, the most important first; empty for one class. */
    public List<ClassRule> classes = List.of();

    /** Whether another pool's section of the properties names classes. */
    boolean classesElsewhere;

    public LeaseObserver observer = LeaseObserver.NONE;
    public Ticker ticker = Ticker.SYSTEM;
    public final List<AcquisitionStrategy> strategies = new ArrayList<>();
    public final List<PoolListener> listeners = new ArrayList<>();
    public final List<MetricsBinder> metrics = new ArrayList<>();
    public final List<MetricsProvider> providers = new ArrayList<>();

    private @Nullable PartTable parts;

    /** The parts on the class path. */
    public PartTable parts() {
        PartTable found = parts;
        if (found == null) {
            found = PartTable.onClassPath();
            parts = found;
        }
        return found;
    }

    /** The refusals for these settings. */
    public Refusals refusals(String pool) {
        return new Refusals(pool, properties);
    }

    public void set(SettingKey key, Object value) {
        values = values.with(key, value);
    }

    public @Nullable String name() {
        return values.get(CoreKey.NAME, String.class);
    }

    /** The given adapter, or the adapter found for the data source. */
    public PoolAdapter adapterOf(DataSource pool) {
        PoolAdapter known = adapter;
        if (known == null) {
            known = AdapterFinder.find(pool);
            adapter = known;
        }
        return known;
    }

    /** Whether a text can be a pool's name. */
    public static boolean isName(String text) {
        return !text.isBlank() && text.length() <= 100 && PlainText.isLine(text) && Refusals.placeholder(text) == null;
    }

    /** The pool's own name from the application, if flexpool allows it. */
    public static Optional<String> givenName(PoolAdapter pool) {
        Optional<String> given = pool.givenName();
        return given.isPresent() && isName(given.get()) ? given : Optional.empty();
    }

    /** The names of a pool besides its name in flexpool. */
    public List<String> otherNames(String name, PoolAdapter pool) {
        // No stream: this runs in each build, and the first stream of a JVM loads 25 classes.
        Set<String> others = new LinkedHashSet<>();
        String given = pool.givenName().orElse(null);
        if (given != null) {
            others.add(PlainText.line(given));
        }
        for (String other : otherNames) {
            others.add(PlainText.line(other));
        }
        others.remove(name);
        return List.copyOf(others);
    }

    /** A copy for the properties, so that a builder can build again. */
    public Settings copy() {
        Settings copy = new Settings();
        copy.properties.putAll(properties);
        copy.target = target;
        copy.values = values;
        copy.controller = controller;
        copy.adapter = adapter;
        copy.classes = classes;
        copy.observer = observer;
        copy.ticker = ticker;
        copy.otherNames.addAll(otherNames);
        copy.strategies.addAll(strategies);
        copy.listeners.addAll(listeners);
        copy.metrics.addAll(metrics);
        copy.providers.addAll(providers);
        return copy;
    }
}
