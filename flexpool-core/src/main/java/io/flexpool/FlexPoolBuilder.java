// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CodeValues;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Collects how a pool is to be wrapped. Every check happens in {@link #build()}, which names the key, the value and the
 * allowed values; until then the pool is unchanged. Each other method returns this builder. For one thread.
 */
public final class FlexPoolBuilder {
    private final Settings said = new Settings();
    /** By key, with its prefix. */
    private final Map<String, String> set = new LinkedHashMap<>();

    private final List<ConfigSource> sources = new ArrayList<>();

    FlexPoolBuilder(@Nullable DataSource target) {
        said.target = target;
    }

    /**
     * Names the pool in logs, metrics and reports.
     *
     * @param poolName 1 to 100 characters, no control or invisible characters; by default the name that the
     *     application gave the pool itself, such as HikariCP's {@code poolName}, else the kind of pool and a number
     * @return this builder
     */
    public FlexPoolBuilder name(String poolName) {
        said.set(CoreKey.NAME, poolName);
        return this;
    }

    /**
     * Sets a key, as properties do: every setting that needs no code. A later call for the same key replaces an earlier
     * one; properties replace both.
     *
     * <pre>{@code
     * FlexPool.wrap(pool)
     *         .set("base", 10)
     *         .set("ceiling", 25)
     *         .set("acquisition-timeout", Duration.ofSeconds(3))
     *         .build();
     * }</pre>
     *
     * @param key a key of docs/reference/keys.md, for example {@code grow-on-wait.after}; with or without the prefix
     *     {@code flexpool.}
     * @param value a {@code String} as properties write it, or a number, a {@code Boolean}, a
     *     {@link java.time.Duration}, an enum's constant, or a collection of these
     * @return this builder
     * @throws IllegalArgumentException if the value is of another type, or the key is of a section
     *     {@code pools.<name>}; an unknown key and a value that is not allowed are refused in {@link #build()}
     */
    public FlexPoolBuilder set(String key, Object value) {
        String whole = CodeValues.key(key);
        set.put(whole, CodeValues.text(key, value));
        return this;
    }

    /**
     * Adds a strategy of the application. Strategies are consulted in the order in which they were added, before the
     * strategies that keys enable.
     *
     * @param strategy the strategy; each class once
     * @return this builder
     */
    public FlexPoolBuilder strategy(AcquisitionStrategy strategy) {
        said.strategies.add(Objects.requireNonNull(strategy, "strategy is null"));
        return this;
    }

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener the listener; each object once
     * @return this builder
     */
    public FlexPoolBuilder listener(PoolListener listener) {
        said.listeners.add(Objects.requireNonNull(listener, "listener is null"));
        return this;
    }

    /**
     * Adds a metrics backend, which is bound when the pool is built, and unbound when the pool is closed.
     *
     * @param binder the backend, for example of flexpool-metrics-dropwizard
     * @return this builder
     */
    public FlexPoolBuilder metrics(MetricsBinder binder) {
        said.metrics.add(Objects.requireNonNull(binder, "metrics is null"));
        return this;
    }

    /**
     * Notifies an observer of every acquisition and release, on the calling thread.
     *
     * @param leaseObserver by default {@link LeaseObserver#NONE}
     * @return this builder
     */
    public FlexPoolBuilder observer(LeaseObserver leaseObserver) {
        said.observer = Objects.requireNonNull(leaseObserver, "observer is null");
        return this;
    }

    /**
     * Sets the adapter, in place of the adapter on the class path.
     *
     * @param poolAdapter an adapter of the very pool that is wrapped
     * @return this builder
     */
    public FlexPoolBuilder adapter(PoolAdapter poolAdapter) {
        said.adapter = Objects.requireNonNull(poolAdapter, "adapter is null");
        return this;
    }

    /**
     * Takes properties from a map. A property replaces the value that code has set; a later source replaces an earlier
     * one. Properties are read and checked in {@link #build()}.
     *
     * @param properties keys like {@code flexpool.base} or {@code flexpool.pools.<name>.base}, and values as text; also
     *     {@link java.util.Properties}. Copied
     * @return this builder
     */
    public FlexPoolBuilder properties(Map<?, ?> properties) {
        sources.add(ConfigSource.of(Objects.requireNonNull(properties, "properties is null")));
        return this;
    }

    /**
     * Takes properties from a file in {@link java.util.Properties} format, UTF-8.
     *
     * @param file read in {@link #build()}
     * @return this builder
     */
    public FlexPoolBuilder properties(Path file) {
        sources.add(ConfigSource.of(Objects.requireNonNull(file, "properties is null")));
        return this;
    }

    /**
     * Takes properties from the class path, in {@link java.util.Properties} format, UTF-8.
     *
     * @param resource for example {@code flexpool.properties}; searched by the thread's context class loader, then by
     *     flexpool's. Read in {@link #build()}
     * @return this builder
     */
    public FlexPoolBuilder propertiesOnClassPath(String resource) {
        sources.add(ConfigSource.ofClassPath(Objects.requireNonNull(resource, "properties is null")));
        return this;
    }

    /**
     * Takes environment variables such as {@code FLEXPOOL_GROW_ON_WAIT_AFTER}, and then system properties such as {@code
     * -Dflexpool.grow-on-wait.after=50ms}, which replace the variables. Both replace the values of earlier sources,
     * and later sources replace both. They are read in {@link #build()}.
     *
     * <p>For applications without a framework: Spring, Quarkus and Micronaut read both themselves.
     *
     * @return this builder
     */
    public FlexPoolBuilder environment() {
        sources.add(ConfigSource.ofVariables(System.getenv()));
        sources.add(ConfigSource.ofSystem(System.getProperties()));
        return this;
    }

    /**
     * Takes settings that only frameworks and tests need.
     *
     * @param say called at once with the settings
     * @return this builder
     */
    public FlexPoolBuilder framework(Consumer<FrameworkSettings> say) {
        Objects.requireNonNull(say, "say is null");
        say.accept(new FrameworkSettings());
        return this;
    }

    /**
     * Checks everything and wraps the pool. If a check fails, the pool is unchanged.
     *
     * <p>Properties of a section for another pool ({@code flexpool.pools.<name>.<key>}) are read and checked, but only
     * that pool uses them. If no pool with that name is open, and this pool has a similar name and no section, the log
     * warns of a typing error.
     *
     * @return the wrapped pool
     * @throws IllegalArgumentException naming each problem on a separate line: the pool, the key as it was written, the
     *     value, the allowed values or the nearest key, and the source, with the line in a file
     * @throws AlreadyWrappedException if this very pool is wrapped already
     * @throws IllegalStateException if the pool is itself a wrapper of flexpool
     */
    public FlexPoolDataSource build() {
        Settings settings = said.copy();
        List<ConfigSource> all = sources();
        if (settings.name() == null && !all.isEmpty()) {
            // Runs before the properties are read: some belong to the pool of that name.
            nameByItself(settings).ifPresent(name -> settings.set(CoreKey.NAME, name));
        }
        if (!all.isEmpty() || !settings.providers.isEmpty()) {
            new ConfigReader(settings).read(all);
        }
        return PoolStart.wrapped(settings);
    }

    /** The values set by code come first; properties replace them. */
    private List<ConfigSource> sources() {
        List<ConfigSource> all = new ArrayList<>();
        if (!set.isEmpty()) {
            all.add(ConfigSource.ofCode(set));
        }
        all.addAll(sources);
        return all;
    }

    private static Optional<String> nameByItself(Settings settings) {
        DataSource pool = settings.target;
        return pool == null || pool instanceof FlexPoolDataSource
                ? Optional.empty()
                : Settings.givenName(settings.adapterOf(pool));
    }

    /** The settings of a pool that only frameworks and tests need: {@link #framework}. For one thread. */
    public final class FrameworkSettings {
        private FrameworkSettings() {}

        /**
         * Takes properties like {@link FlexPoolBuilder#properties(Map)}, with their origin.
         *
         * @param properties keys and values as text; copied
         * @param origin where they were written, for refusals
         */
        public void properties(Map<?, ?> properties, String origin) {
            sources.add(ConfigSource.of(
                    Objects.requireNonNull(properties, "properties is null"),
                    Objects.requireNonNull(origin, "origin is null")));
        }

        /**
         * Checks the properties given so far as far as possible without a pool: each key must be known, and each value
         * of its kind. Creates nothing. For frameworks that get their pools later.
         *
         * @throws IllegalArgumentException naming all problems: key, value and allowed values
         */
        public void checkProperties() {
            new ConfigReader(said.copy()).check(sources());
        }

        /**
         * Adds a metrics backend that is configured by properties under its name; it replaces the backend of that name
         * on the class path. If properties name backends ({@code flexpool.metrics}), it is created only if they name
         * it.
         *
         * @param provider creates the backend when the pool is built; the first provider of a name counts
         */
        public void metrics(MetricsProvider provider) {
            said.providers.add(Objects.requireNonNull(provider, "metrics is null"));
        }

        /**
         * The name that the application gave the pool itself.
         *
         * @return the name; empty if the pool has no name, or a name that flexpool refuses
         */
        public Optional<String> givenName() {
            return nameByItself(said);
        }

        /**
         * Adds a name that the application has for this pool, besides the builder's name.
         *
         * @param name shown if it differs from the pool's name
         */
        public void otherName(String name) {
            said.otherNames.add(Objects.requireNonNull(name, "name is null"));
        }

        /**
         * Gives the clock, for tests.
         *
         * @param clock by default {@link Ticker#SYSTEM}
         */
        public void ticker(Ticker clock) {
            said.ticker = Objects.requireNonNull(clock, "ticker is null");
        }
    }
}
