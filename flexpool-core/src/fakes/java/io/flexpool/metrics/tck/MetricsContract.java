// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.offset;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every metrics backend. A backend's test extends this class, declares the parts it shows of each
 * metric, and reads them back from where users read them.
 */
public abstract class MetricsContract {
    private static final String POOL = "orders";
    /** 4.5 % is the precision of flexpool's buckets; backends with percentiles copy them. */
    private static final double EXACT = 1e-9;

    private static final Pattern OF_FEATURE = Pattern.compile("(fleet|server)", Pattern.CASE_INSENSITIVE);

    private final List<Binding> bindings = new ArrayList<>();

    /** Called by JUnit. */
    protected MetricsContract() {}

    /**
     * A binder that shows pools where this test reads them.
     *
     * @return always into the same place
     */
    protected abstract MetricsBinder binder();

    /**
     * The parts of a figure that the backend shows, if the pool supports it.
     *
     * @param metric the metric
     * @return the parts that {@link #shown} has to find; none for a metric that the backend omits
     */
    protected abstract Set<Part> shows(PoolMetric metric);

    /**
     * The value shown now. Reads afresh: bypasses anything the backend caches between two readings.
     *
     * @param pool the name under which the pool is shown
     * @param figure the figure to read
     * @return in base units, durations in seconds; empty if no number is shown
     */
    protected abstract OptionalDouble shown(String pool, Figure figure);

    /**
     * The value shown now of a metric of a part. Reads afresh.
     *
     * @param pool the name under which the pool is shown
     * @param metric the metric
     * @return in base units, durations in seconds; empty if no number is shown
     */
    protected abstract OptionalDouble shown(String pool, PartMetric metric);

    /**
     * Everything shown now, as users see it. Reads afresh.
     *
     * @return a line for each series: the name, tags or attributes, a space, and then all else that the backend has of it:
     *     type, unit, description, value
     */
    protected abstract Set<String> described();

    /**
     * Everything registered in the place where this test reads.
     *
     * @return names, with tags or attributes
     */
    protected abstract Set<String> registered();

    /**
     * Whether a metric is recorded call by call ({@link Binding#observer()}), and not read.
     *
     * @param metric the metric
     * @return by default false
     */
    protected boolean hearsCalls(PoolMetric metric) {
        return false;
    }

    /**
     * The name under which the second pool of one name is shown.
     *
     * @param name the name of both pools
     * @return by default {@code name#2}
     */
    protected String second(String name) {
        return name + "#2";
    }

    /**
     * The rounding error of a figure in the place where this test reads.
     *
     * @return in base units, seconds of durations; by default 1e-9
     */
    protected double precision() {
        return EXACT;
    }

    /**
     * The same of one metric.
     *
     * @param metric the metric
     * @return in base units; by default {@link #precision()}
     */
    protected double precision(PoolMetric metric) {
        return precision();
    }

    /** Unbinds everything that a test has bound. */
    @AfterEach
    protected final void unbindAll() {
        bindings.forEach(Binding::unbind);
    }

    private Binding bind(ScriptedPool pool) {
        Binding binding = binder().bind(pool);
        bindings.add(binding);
        return binding;
    }

    private List<Figure> figures(PoolMetric metric) {
        List<Figure> figures = new ArrayList<>();
        for (Part part : shows(metric)) {
            if (metric == PoolMetric.ACQUISITION) {
                for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                    figures.add(new Figure(metric, outcome, part));
                }
            } else if (metric.perClass()) {
                for (String requestClass : ScriptedPool.CLASSES) {
                    figures.add(new Figure(metric, AcquisitionOutcome.OK, part, requestClass));
                }
            } else {
                figures.add(new Figure(metric, AcquisitionOutcome.OK, part));
            }
        }
        return figures;
    }

    private List<Figure> readFigures() {
        List<Figure> figures = new ArrayList<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (!hearsCalls(metric)) {
                figures.addAll(figures(metric));
            }
        }
        assertThat(figures).as("a backend that shows nothing").isNotEmpty();
        return figures;
    }

    private void shows(String shownAs, ScriptedPool pool) {
        PoolReading reading = PoolReading.of(pool);
        for (Figure figure : readFigures()) {
            double expected = figure.expected(reading);
            OptionalDouble shown = shown(shownAs, figure);
            if (Double.isNaN(expected)) {
                assertThat(shown)
                        .as("%s, which the pool does not report", figure)
                        .isEmpty();
            } else {
                assertThat(shown).as("%s", figure).isPresent();
                assertThat(shown.getAsDouble())
                        .as("%s", figure)
                        .isCloseTo(expected, offset(Math.max(precision(figure.metric()), EXACT * expected)));
            }
        }
    }

    @Test
    final void everyFigureIsShownAsItIs() {
        ScriptedPool pool = new ScriptedPool(POOL).withClasses();
        bind(pool);
        shows(POOL, pool);
    }

    private void showsParts(String shownAs, ScriptedPool pool) {
        List<PartMetric> metrics =
                pool.parts().stream().flatMap(part -> part.metrics().stream()).toList();
        assertThat(metrics).isNotEmpty();
        for (PartMetric metric : metrics) {
            OptionalDouble shown = shown(shownAs, metric);
            if (Double.isNaN(metric.value())) {
                assertThat(shown)
                        .as("%s, which has no value", metric.shortName())
                        .isEmpty();
            } else {
                assertThat(shown).as("%s", metric.shortName()).isPresent();
                assertThat(shown.getAsDouble())
                        .as("%s", metric.shortName())
                        .isCloseTo(metric.value(), offset(Math.max(precision(), EXACT * metric.value())));
            }
        }
    }

    @Test
    final void metricsOfPartsAreShown() {
        ScriptedPool pool = new ScriptedPool(POOL).withPart();
        bind(pool);
        showsParts(POOL, pool);
        shows(POOL, pool);
        pool.times(25);
        aReadingLater();
        showsParts(POOL, pool);
    }

    @Test
    final void metricsOfPartsEndWithTheirPool() {
        Set<String> before = Set.copyOf(registered());
        ScriptedPool pool = new ScriptedPool(POOL).withPart();
        ScriptedPool other = new ScriptedPool(POOL).withPart();
        other.times(31);
        Binding first = bind(pool);
        Binding second = bind(other);
        showsParts(POOL, pool);
        showsParts(second(POOL), other);
        first.unbind();
        showsParts(second(POOL), other);
        pool.parts()
                .forEach(part -> part.metrics()
                        .forEach(metric -> assertThat(shown(POOL, metric))
                                .as("%s of the closed pool", metric.shortName())
                                .isEmpty()));
        second.unbind();
        assertThat(registered()).isEqualTo(before);
        Binding again = bind(pool);
        showsParts(POOL, pool);
        again.unbind();
    }

    /** Those of the fleet and of the server, which were metrics of each pool when the answers were recorded. */
    @Test
    final void metricsThatMoveToAPartKeepTheirSeries() throws IOException {
        bind(new ScriptedPool(POOL));
        assertThat(ofFeatures()).containsExactlyElementsOf(recorded());
    }

    private List<String> ofFeatures() {
        return described().stream()
                .filter(line ->
                        OF_FEATURE.matcher(line.substring(0, line.indexOf(' '))).find())
                .sorted()
                .toList();
    }

    private String resource() {
        return getClass().getName().replace('.', '/') + ".series";
    }

    private List<String> recorded() throws IOException {
        try (InputStream file = getClass().getResourceAsStream("/" + resource())) {
            assertThat(file).as(resource()).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    @Test
    final void figuresGoOn() {
        ScriptedPool pool = new ScriptedPool(POOL).withClasses();
        bind(pool);
        shows(POOL, pool);
        pool.times(25);
        aReadingLater();
        shows(POOL, pool);
    }

    @Test
    final void unreportedFiguresAreNotShown() {
        ScriptedPool pool = new ScriptedPool(POOL).tellsNothing();
        bind(pool);
        shows(POOL, pool);
    }

    /** A pool may be wrapped before it is used, and report its figures from then on. */
    @Test
    final void figuresThatAreKnownLaterAreShownThen() {
        ScriptedPool pool = new ScriptedPool(POOL).tellsNothing();
        bind(pool);
        shows(POOL, pool);
        pool.starts();
        aReadingLater();
        shows(POOL, pool);
    }

    @Test
    final void theLimitOfAWatchedPoolIsItsMax() {
        ScriptedPool pool = new ScriptedPool(POOL).watched();
        bind(pool);
        shows(POOL, pool);
    }

    @Test
    final void anUnsupportedFigureIsOmitted() {
        bind(new ScriptedPool(POOL).without(PoolMetric.CONNECT));
        for (Figure figure : figures(PoolMetric.CONNECT)) {
            assertThat(shown(POOL, figure)).as("%s", figure).isEmpty();
        }
    }

    /** As of every pool without classes. */
    @Test
    final void aPoolWithOneClassForAllShowsNoClass() {
        ScriptedPool pool = new ScriptedPool(POOL);
        bind(pool);
        shows(POOL, pool);
        assertThat(registered()).noneMatch(name -> name.contains("batch"));
    }

    @Test
    final void twoPoolsAreNotMixed() {
        ScriptedPool orders = new ScriptedPool(POOL).withClasses();
        // A name with the other one as a prefix.
        ScriptedPool ordersEu = new ScriptedPool(POOL + ".eu").withClasses();
        ordersEu.times(31);
        Binding first = bind(orders);
        bind(ordersEu);
        shows(POOL, orders);
        shows(POOL + ".eu", ordersEu);
        first.unbind();
        shows(POOL + ".eu", ordersEu);
        readFigures()
                .forEach(figure -> assertThat(shown(POOL, figure))
                        .as("%s of the closed pool", figure)
                        .isEmpty());
    }

    @Test
    final void twoPoolsOfOneNameDoNotCollide() {
        ScriptedPool pool = new ScriptedPool(POOL).withClasses();
        ScriptedPool other = new ScriptedPool(POOL).withClasses();
        other.times(31);
        Binding first = bind(pool);
        bind(other);
        shows(POOL, pool);
        shows(second(POOL), other);
        first.unbind();
        shows(second(POOL), other);
    }

    @Test
    final void nothingIsLeft() {
        Set<String> before = Set.copyOf(registered());
        Binding binding = bind(new ScriptedPool(POOL).withClasses());
        Set<String> during = new HashSet<>(registered());
        during.removeAll(before);
        assertThat(during).isNotEmpty();
        binding.unbind();
        assertThat(registered()).isEqualTo(before);
        binding.unbind();
        assertThat(registered()).isEqualTo(before);
    }

    @Test
    final void aRedeployReusesTheName() {
        Binding before = bind(new ScriptedPool(POOL).withClasses());
        Set<String> names = Set.copyOf(registered());
        before.unbind();
        ScriptedPool redeployed = new ScriptedPool(POOL).withClasses();
        redeployed.times(1);
        Binding again = bind(redeployed);
        assertThat(registered()).isEqualTo(names);
        shows(POOL, redeployed);
        before.unbind();
        shows(POOL, redeployed);
        again.unbind();
    }

    /** A pool that cannot be read does not affect the others, and the reader gets no exception. */
    @Test
    final void anUnreadablePoolAffectsNoOther() {
        ScriptedPool broken = new ScriptedPool("broken");
        ScriptedPool pool = new ScriptedPool(POOL);
        bind(broken);
        bind(pool);
        broken.breaks();
        aReadingLater();
        assertThatCode(() -> readFigures().forEach(figure -> shown("broken", figure)))
                .doesNotThrowAnyException();
        shows(POOL, pool);
    }

    /** The script of events: every backend shows the events of a real pool. */
    @Test
    final void theScriptsEventsAreShown() throws SQLException {
        try (Script script = new Script(POOL, binder())) {
            script.play();
            Map<AcquisitionOutcome, Integer> counts = new EnumMap<>(AcquisitionOutcome.class);
            counts.put(AcquisitionOutcome.OK, Script.OK);
            counts.put(AcquisitionOutcome.TIMEOUT, Script.TIMEOUTS);
            counts.put(AcquisitionOutcome.CONNECT_FAILURE, Script.CONNECT_FAILURES);
            counts.put(AcquisitionOutcome.INTERRUPTED, Script.INTERRUPTED);
            counts.put(AcquisitionOutcome.REJECTED, 0);
            counts.put(AcquisitionOutcome.ERROR, Script.ERRORS);
            aReadingLater();
            counts.forEach((outcome, count) -> {
                happened(PoolMetric.ACQUISITION, outcome, Part.COUNT, count);
                happened(PoolMetric.ACQUISITION, outcome, Part.SUM, count * seconds(Script.WAIT));
            });
            happened(PoolMetric.LEASE, AcquisitionOutcome.OK, Part.COUNT, Script.OK);
            happened(PoolMetric.LEASE, AcquisitionOutcome.OK, Part.SUM, Script.OK * seconds(Script.LEASE));
            happened(PoolMetric.ATTEMPT, AcquisitionOutcome.OK, Part.COUNT, Script.OK);
            happened(PoolMetric.TIMEOUTS, AcquisitionOutcome.OK, Part.VALUE, Script.TIMEOUTS);
            happened(PoolMetric.CONNECT_FAILURES, AcquisitionOutcome.OK, Part.VALUE, Script.CONNECT_FAILURES);
            // The tick runs four times a second.
            eventually(() -> !shows(PoolMetric.CONNECT).contains(Part.COUNT)
                    || shown(POOL, new Figure(PoolMetric.CONNECT, AcquisitionOutcome.OK, Part.COUNT))
                                    .orElse(0)
                            == 3);
            happened(PoolMetric.CONNECT, AcquisitionOutcome.OK, Part.COUNT, 3);
            happened(PoolMetric.CONNECT, AcquisitionOutcome.OK, Part.SUM, 0.021);
        }
    }

    @Test
    final void activeConnectionsAreShown() throws SQLException {
        try (Script script = new Script(POOL, binder())) {
            List<Connection> held = script.hold(4);
            aReadingLater();
            happened(PoolMetric.ACTIVE, AcquisitionOutcome.OK, Part.VALUE, 4);
            happened(PoolMetric.IDLE, AcquisitionOutcome.OK, Part.VALUE, ObedientPool.MAX - 4);
            happened(PoolMetric.MAX, AcquisitionOutcome.OK, Part.VALUE, ObedientPool.MAX);
            for (Connection connection : held) {
                connection.close();
            }
            script.later(Duration.ofMillis(1));
            aReadingLater();
            happened(PoolMetric.ACTIVE, AcquisitionOutcome.OK, Part.VALUE, 0);
        }
    }

    @Test
    final void suspectedLeaksAreCounted() throws SQLException {
        try (Script script = new Script(POOL, binder())) {
            List<Connection> held = script.hold(Script.LEAKS);
            script.later(Script.LEAK_THRESHOLD.plusSeconds(1));
            // The tick detects them.
            eventually(() -> script.pool().statistics().total().counter(PoolMetric.LEAKS_SUSPECTED) == Script.LEAKS);
            aReadingLater();
            happened(PoolMetric.LEAKS_SUSPECTED, AcquisitionOutcome.OK, Part.VALUE, Script.LEAKS);
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    @Test
    final void nestedAcquisitionsAreCounted() throws SQLException {
        try (Script script = new Script(POOL, binder())) {
            List<Connection> held = script.hold(Script.LEAKS);
            aReadingLater();
            happened(PoolMetric.NESTED_ACQUISITIONS, AcquisitionOutcome.OK, Part.VALUE, Script.LEAKS - 1);
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    @Test
    final void aClosedPoolLeavesNothing() throws SQLException {
        Set<String> before = Set.copyOf(registered());
        try (Script script = new Script(POOL, binder())) {
            script.play();
            FlexPoolDataSource pool = script.pool();
            assertThat(registered()).isNotEqualTo(before);
            pool.close();
        }
        assertThat(registered()).isEqualTo(before);
    }

    private void happened(PoolMetric metric, AcquisitionOutcome outcome, Part part, double expected) {
        if (shows(metric).contains(part)) {
            Figure figure = new Figure(metric, outcome, part);
            // A timer without recordings may be missing.
            assertThat(shown(POOL, figure).orElse(0)).as("%s", figure).isCloseTo(expected, offset(precision()));
        }
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** Backends cache a reading for 100 ms. */
    private static void aReadingLater() {
        long read = System.nanoTime();
        eventually(() -> System.nanoTime() - read > TimeUnit.MILLISECONDS.toNanos(120));
    }
}
