// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import io.flexpool.benchmarks.decorations.DataSourceMicrometer;
import io.flexpool.benchmarks.decorations.DataSourceProxy;
import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.decorations.Decorator;
import io.flexpool.benchmarks.decorations.DropwizardBackend;
import io.flexpool.benchmarks.decorations.FlexPools;
import io.flexpool.benchmarks.decorations.FlexyPools;
import io.flexpool.benchmarks.decorations.HikariTrackers;
import io.flexpool.benchmarks.decorations.JfrBackend;
import io.flexpool.benchmarks.decorations.JmxBackend;
import io.flexpool.benchmarks.decorations.MicrometerBackend;
import io.flexpool.benchmarks.decorations.OpenTelemetryBackend;
import io.flexpool.benchmarks.decorations.P6Spy;
import io.flexpool.benchmarks.decorations.PrometheusBackend;
import io.flexpool.benchmarks.kit.NameConverter;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What is compared. All run on HikariCP over the same stub driver. "Bound" is flexpool with a base, growth and retry,
 * so that the gate limits; "watched" is flexpool with the gate open. A backend's name behind it is where the figures
 * are shown: with the gate open they are shown in the same way.
 */
public enum Variant {
    /** HikariCP alone: what all others are compared with. */
    BARE(() -> Decorator.NONE),
    /** HikariCP alone once more: its difference to {@link #BARE} is the noise of the method. */
    CONTROL(() -> Decorator.NONE),
    /** The hand-written floor: its difference to {@link #BARE} is the unit. */
    IDEAL(() -> pool -> Decorated.of(new IdealDataSource(pool), pool)),
    /** flexpool that only watches. */
    FLEXPOOL_WATCHED(FlexPools::watched),
    /** flexpool that limits. */
    FLEXPOOL_BOUND(FlexPools::bound),
    /** flexpool that limits and adapts the limit. */
    FLEXPOOL_ACTING(FlexPools::acting),
    /** flexpool that only watches, and records no leases for an advice on the size; by default it does. */
    FLEXPOOL_WATCHED_ADVICE_OFF(
            () -> FlexPools.watchedBut(pool -> pool.properties(Map.of("flexpool.advice", "false")))),
    /** flexpool that limits, and records no leases for an advice on the size. */
    FLEXPOOL_BOUND_ADVICE_OFF(() -> FlexPools.boundBut(pool -> pool.properties(Map.of("flexpool.advice", "false")))),
    /** flexpool that limits and captures no call site; by default it captures a sample. */
    FLEXPOOL_BOUND_CALL_SITES_OFF(() -> FlexPools.boundBut(pool -> pool.set("call-sites.sample-every", 0))),
    /** flexpool that limits, and captures every call site. */
    FLEXPOOL_BOUND_CALL_SITES_ALWAYS(() -> FlexPools.boundBut(pool -> pool.set("call-sites.sample-every", 1))),
    /** flexpool that limits, and measures the time in the database: here nothing but the lease's own part of it. */
    FLEXPOOL_BOUND_TIME_IN_DATABASE(() -> FlexPools.boundBut(pool -> pool.set("time-in-database", true))),
    /** flexpool that only watches, with a module for the database server: a lease keeps its connection. */
    FLEXPOOL_WATCHED_SERVER_VIEW(() -> FlexPools.withServerView(FlexPools.watched())),
    /** flexpool that limits, with a module for the database server. */
    FLEXPOOL_BOUND_SERVER_VIEW(() -> FlexPools.withServerView(FlexPools.bound())),
    /** flexpool that limits two classes of requests; all are of the first one, which no thread's name says. */
    FLEXPOOL_BOUND_CLASSES(FlexPools::classed),
    /**
     * {@link #FLEXPOOL_WATCHED}, {@link #FLEXPOOL_BOUND} and {@link #FLEXPOOL_BOUND_CLASSES} in one class loader, in turn and by
     * several threads at once.
     */
    FLEXPOOL_IN_ONE_LOADER(FlexPools::inOneLoader),
    /** flexpool that limits, in a Dropwizard registry. */
    FLEXPOOL_BOUND_DROPWIZARD(() -> FlexPools.bound(DropwizardBackend::create)),
    /** flexpool that limits, in a Micrometer registry. */
    FLEXPOOL_BOUND_MICROMETER(() -> FlexPools.bound(MicrometerBackend::create)),
    /** flexpool that limits, in a Micrometer registry's real timers, which observe every call. */
    FLEXPOOL_BOUND_MICROMETER_HISTOGRAM(() -> FlexPools.bound(MicrometerBackend::histogram)),
    /** flexpool that limits, read by OpenTelemetry's SDK. */
    FLEXPOOL_BOUND_OPENTELEMETRY(() -> FlexPools.bound(OpenTelemetryBackend::pull)),
    /** flexpool that limits, through OpenTelemetry's API, whose histograms observe every call. */
    FLEXPOOL_BOUND_OPENTELEMETRY_PUSH(() -> FlexPools.bound(OpenTelemetryBackend::push)),
    /** flexpool that limits, in a registry of the Prometheus client. */
    FLEXPOOL_BOUND_PROMETHEUS(() -> FlexPools.bound(PrometheusBackend::create)),
    /** flexpool that limits, in an MBean. */
    FLEXPOOL_BOUND_JMX(() -> FlexPools.bound(JmxBackend::create)),
    /** flexpool that limits, with flight recorder events that are not recorded. */
    FLEXPOOL_BOUND_JFR(() -> FlexPools.bound(JfrBackend::notRecording)),
    /** flexpool that limits, in a recording with the events' own settings. */
    FLEXPOOL_BOUND_JFR_RECORDING(() -> FlexPools.bound(JfrBackend::recording)),
    /** flexpool that limits, in a recording of every call. */
    FLEXPOOL_BOUND_JFR_RECORDING_ALL(() -> FlexPools.bound(JfrBackend::recordingAll)),
    /** FlexyPool with growth and retry and metrics that do nothing. */
    FLEXYPOOL(FlexyPools::withoutMetrics),
    /** FlexyPool with growth and retry and its Dropwizard metrics. */
    FLEXYPOOL_DROPWIZARD(FlexyPools::dropwizard),
    /** FlexyPool with growth and retry and its Micrometer metrics. */
    FLEXYPOOL_MICROMETER(FlexyPools::micrometer),
    /** HikariCP with its own Dropwizard metrics. */
    HIKARICP_DROPWIZARD(HikariTrackers::dropwizard),
    /** HikariCP with its own Micrometer metrics. */
    HIKARICP_MICROMETER(HikariTrackers::micrometer),
    /** datasource-proxy without listeners. */
    DATASOURCE_PROXY(DataSourceProxy::silent),
    /** p6spy without its log. */
    P6SPY(P6Spy::silent),
    /** datasource-micrometer with meters and no tracing. */
    DATASOURCE_MICROMETER(DataSourceMicrometer::metered);

    /** Not the decorator itself: a library must not be loaded before its variant is wanted. */
    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private final Supplier<Decorator> decorator;

    Variant(Supplier<Decorator> decorator) {
        this.decorator = decorator;
    }

    /**
     * What the variant puts around the pool.
     *
     * @return may be used once for each pool
     */
    public Decorator decorator() {
        return decorator.get();
    }

    /**
     * The variant of that name.
     *
     * @param name as on the command line
     * @return the variant
     */
    public static Variant named(String name) {
        return new NameConverter<>(Variant.class).convert(name);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
