// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.config.Values;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.AcquisitionOrder;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Collects how a pool is to be wrapped. Every check happens in {@link #build()}, which names the key, the value and
 * what is allowed; until then the pool is untouched. Each other method returns this builder. For one thread.
 */
public final class FlexPoolBuilder {
    private final Settings said = new Settings();
    private final List<ConfigSource> sources = new ArrayList<>();

    FlexPoolBuilder(@Nullable DataSource target) {
        said.target = target;
    }

    private FlexPoolBuilder with(Values values) {
        said.values = said.values.with(values);
        return this;
    }

    private FlexPoolBuilder with(CoreKey key, Object value) {
        said.set(key, value);
        return this;
    }

    /**
     * Names the pool in logs, metrics and reports.
     *
     * @param poolName 1 to 100 characters, no control or invisible characters; by default the name that the
     *     application gave the pool itself, such as HikariCP's {@code poolName}, else the kind of pool and a number
     * @return this builder
     */
    public FlexPoolBuilder name(String poolName) {
        return with(CoreKey.NAME, poolName);
    }

    /**
     * Whether flexpool does anything at all.
     *
     * @param on false for plain delegation: no gate, no thread, the pool untouched; by default true
     * @return this builder
     */
    public FlexPoolBuilder enabled(boolean on) {
        return with(CoreKey.ENABLED, on);
    }

    /**
     * What flexpool does by itself about the pool's size; can be switched at run time.
     *
     * @param poolMode by default {@link PoolMode#RECOMMEND}; {@link PoolMode#ADAPT} needs a ceiling:
     *     {@link Sizing#upTo}
     * @return this builder
     */
    public FlexPoolBuilder mode(PoolMode poolMode) {
        return with(CoreKey.MODE, poolMode);
    }

    /**
     * In which order requests are served that wait for a permit. Has no effect on a pool that flexpool does not limit.
     *
     * @param acquisitionOrder by default {@link AcquisitionOrder#FAIR}
     * @return this builder
     */
    public FlexPoolBuilder order(AcquisitionOrder acquisitionOrder) {
        return with(CoreKey.ORDER, acquisitionOrder);
    }

    /**
     * How far the pool may grow, and what the sizing controller aims at.
     *
     * @param sizing for example {@code Sizing.upTo(25).atLeast(3)}
     * @return this builder
     */
    public FlexPoolBuilder sizing(Sizing sizing) {
        Objects.requireNonNull(sizing, "sizing is null");
        return with(sizing.values);
    }

    /**
     * How many connections may be leased at first and after calm. Makes the gate limit the pool.
     *
     * @param connections 1 to 10,000; by default the pool's own max
     * @return this builder
     */
    public FlexPoolBuilder base(int connections) {
        return with(CoreKey.BASE, connections);
    }

    /**
     * How long a request waits for a connection. Makes the gate limit the pool.
     *
     * @param timeout 1 ms to 1 h; by default the pool's own
     * @return this builder
     */
    public FlexPoolBuilder acquisitionTimeout(Duration timeout) {
        return with(CoreKey.ACQUISITION_TIMEOUT, timeout);
    }

    /**
     * Kinds of requests that share the pool, each with what it is guaranteed and what it has at most. Makes the gate limit
     * the pool.
     *
     * @param classes for example {@code PoolClasses.of("interactive").guarantee(0.75).and("batch").most(8)}; by default
     *     all requests are alike
     * @return this builder
     */
    public FlexPoolBuilder classes(PoolClasses classes) {
        Objects.requireNonNull(classes, "classes is null");
        said.classes = classes.rules;
        return this;
    }

    /**
     * Whether requests end early while a class of the pool is overloaded, the lowest class first: within a few leases, with
     * {@link io.flexpool.pool.ShedException}, where all would wait until it is too late. Of a pool with classes only.
     *
     * @param sheds by default false: each request waits for as long as it may
     * @return this builder
     */
    public FlexPoolBuilder shed(boolean sheds) {
        return with(CoreKey.CLASSES_SHED, sheds);
    }

    /**
     * From what time on a successful acquisition raises an event.
     *
     * @param threshold more than zero; by default none does
     * @return this builder
     */
    public FlexPoolBuilder slowAcquisition(Duration threshold) {
        return with(CoreKey.SLOW_ACQUISITION, threshold);
    }

    /**
     * From what time on a lease raises an event when it ends.
     *
     * @param threshold more than zero; by default none does
     * @return this builder
     */
    public FlexPoolBuilder longLease(Duration threshold) {
        return with(CoreKey.LONG_LEASE, threshold);
    }

    /**
     * Which leases record the application's call site.
     *
     * @param callSites by default {@code CallSites.sampled(256)}
     * @return this builder
     */
    public FlexPoolBuilder callSites(CallSites callSites) {
        Objects.requireNonNull(callSites, "callSites is null");
        return with(callSites.values);
    }

    /**
     * Whether the SQL is shown that an open lease runs, shortened; never parameters.
     *
     * @param shown by default false
     * @return this builder
     */
    public FlexPoolBuilder statementText(boolean shown) {
        return with(CoreKey.STATEMENT_TEXT, shown);
    }

    /**
     * Whether it is measured how much of a lease is spent in the database, at the boundaries of execute, commit,
     * rollback, the request of a result set, and the close of one that was not read to its end; costs two readings of
     * the clock for each.
     *
     * @param measured by default false
     * @return this builder
     */
    public FlexPoolBuilder timeInDatabase(boolean measured) {
        return with(CoreKey.TIME_IN_DATABASE, measured);
    }

    /**
     * What is done about open leases that do not end.
     *
     * @param leaks for example {@code Leaks.after(Duration.ofMinutes(1))}; by default no lease is suspected
     * @return this builder
     */
    public FlexPoolBuilder leaks(Leaks leaks) {
        Objects.requireNonNull(leaks, "leaks is null");
        return with(leaks.values);
    }

    /**
     * Whether a request of a thread that holds another connection of this pool is refused, instead of only counted: for
     * tests. With {@code flexpool.nested = strict} in properties.
     *
     * @param refused by default false
     * @return this builder
     */
    public FlexPoolBuilder refuseNested(boolean refused) {
        return with(CoreKey.NESTED, refused ? NestedPolicy.STRICT : NestedPolicy.COUNT);
    }

    /**
     * Adds a strategy. Strategies are consulted in the order in which they were added.
     *
     * @param strategy for example {@link io.flexpool.strategy.GrowOnWait}; each class once
     * @return this builder
     */
    public FlexPoolBuilder strategy(AcquisitionStrategy strategy) {
        said.strategies.add(Objects.requireNonNull(strategy, "strategy is null"));
        return this;
    }

    /**
     * Adds a listener. Listeners are called in the order in which they were added.
     *
     * @param listener each object once
     * @return this builder
     */
    public FlexPoolBuilder listener(PoolListener listener) {
        said.listeners.add(Objects.requireNonNull(listener, "listener is null"));
        return this;
    }

    /**
     * Adds a metrics backend: bound once the pool stands, unbound when it is closed.
     *
     * @param binder for example the one of flexpool-metrics-dropwizard
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
     * Gives the adapter, instead of looking for one on the class path.
     *
     * @param poolAdapter an adapter of the very pool that is wrapped
     * @return this builder
     */
    public FlexPoolBuilder adapter(PoolAdapter poolAdapter) {
        said.adapter = Objects.requireNonNull(poolAdapter, "adapter is null");
        return this;
    }

    /**
     * Takes properties, as a map. What properties say replaces what code said; a later source replaces an earlier one.
     * They are read and checked in {@link #build()}.
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
     * Takes properties from a URL, in {@link java.util.Properties} format, UTF-8.
     *
     * @param url read in {@link #build()}
     * @return this builder
     */
    public FlexPoolBuilder properties(URL url) {
        sources.add(ConfigSource.of(Objects.requireNonNull(url, "properties is null")));
        return this;
    }

    /**
     * Takes properties from the class path, in {@link java.util.Properties} format, UTF-8.
     *
     * @param resource for example {@code flexpool.properties}; looked for by the thread's context class loader, then by
     *     flexpool's own. Read in {@link #build()}
     * @return this builder
     */
    public FlexPoolBuilder propertiesOnClassPath(String resource) {
        sources.add(ConfigSource.ofClassPath(Objects.requireNonNull(resource, "properties is null")));
        return this;
    }

    /**
     * Takes what only frameworks and tests have to say.
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
     * Checks everything and wraps the pool. If anything is wrong the pool is as it was.
     *
     * <p>Properties of a section for another pool ({@code flexpool.pools.<name>.<key>}) are read and checked, but only that
     * pool uses them. If no pool of that name is open, and the name is nearly that of this pool, which has no section, the
     * log warns of a slip.
     *
     * @return the wrapped pool
     * @throws IllegalArgumentException naming all that is wrong, a line each: the pool, the key as it was written, the value,
     *     what is allowed or the nearest key, and the source, with the line in a file
     * @throws AlreadyWrappedException if this very pool is wrapped already
     * @throws IllegalStateException if what is to be wrapped is a wrapper itself
     */
    public FlexPoolDataSource build() {
        Settings settings = said.copy();
        if (settings.name() == null && !sources.isEmpty()) {
            // Before the properties are read: some are of the pool of that name.
            nameByItself(settings).ifPresent(name -> settings.set(CoreKey.NAME, name));
        }
        if (!sources.isEmpty() || !settings.providers.isEmpty()) {
            new ConfigReader(settings).collect(sources);
        }
        return PoolStart.wrapped(settings);
    }

    private static Optional<String> nameByItself(Settings settings) {
        DataSource pool = settings.target;
        return pool == null || pool instanceof FlexPoolDataSource
                ? Optional.empty()
                : Settings.givenName(settings.adapterOf(pool));
    }

    /** What frameworks and tests may say of a pool beside what applications do: {@link #framework}. For one thread. */
    public final class FrameworkSettings {
        private FrameworkSettings() {}

        /**
         * Takes properties, as {@link FlexPoolBuilder#properties(Map)} does, and says where they were written.
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
         * Checks of the properties given so far what can be checked without a pool: that each key is known, and that
         * each value is of its kind. Makes nothing. For frameworks that get their pools later.
         *
         * @throws IllegalArgumentException naming all that is wrong: key, value and what is allowed
         */
        public void checkProperties() {
            new ConfigReader(said.copy()).check(sources);
        }

        /**
         * Adds a metrics backend that is configured by properties under its own name, and stands for the one of that
         * name on the class path. Where properties name backends ({@code flexpool.metrics}), it is made only if it is
         * among them.
         *
         * @param provider makes the backend when the pool is built; of several with one name the first counts
         */
        public void metrics(MetricsProvider provider) {
            said.providers.add(Objects.requireNonNull(provider, "metrics is null"));
        }

        /**
         * The name that the application gave the pool itself.
         *
         * @return empty if it has none, or one that cannot be flexpool's
         */
        public Optional<String> givenName() {
            return nameByItself(said);
        }

        /**
         * Adds a name that the application has for this pool, beside the one given to the builder.
         *
         * @param name shown wherever it is another one
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
