// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool with known figures, all different, so that a backend that confuses two of them is detected. Reading is
 * thread-safe.
 */
public final class ScriptedPool implements PoolView {
    /** The rates of acquisitions. */
    public static final Rates ACQUISITION_RATES = new Averages(1.5, 2.5, 3.5, 4.5);

    /** The rates of leases. */
    public static final Rates LEASE_RATES = new Averages(5.5, 6.5, 7.5, 8.5);

    /** The names of the classes, the first of which has no maximum. */
    public static final List<String> CLASSES = List.of("interactive", "batch");

    private static final PoolState BUSY =
            new State(12, 10, 25, 7, 2, 3, 1, Duration.ofMillis(4), new PoolSnapshot(13, 6, 8, 5, 14, 9));

    private static final PartView FLEET = new Shown(
            "fleet",
            List.of(
                    gauge(
                            "fleet.granted",
                            "{connection}",
                            "Connections that the pool may have open in its fleet: granted, or its static share.",
                            31),
                    gauge(
                            "fleet.wanted",
                            "{connection}",
                            "Connections that the pool could use, as it reports to its fleet.",
                            32),
                    gauge(
                            "fleet.held",
                            "{connection}",
                            "Physical connections that the pool has open, or may be opening.",
                            33),
                    gauge(
                                    "fleet.members",
                                    "{member}",
                                    "Members that renewed their share recently; 0 while this pool has no grant and"
                                            + " uses its static share.",
                                    34)
                            .nonAdditive(),
                    gauge(
                                    "fleet.free",
                                    "{connection}",
                                    "Connections that the fleet may still grant; negative if members hold more than"
                                            + " the maximum; no value while the store does not answer.",
                                    35)
                            .nonAdditive()));

    private record State(
            int limit,
            int base,
            int ceiling,
            int leased,
            int entering,
            int waiting,
            int foreign,
            Duration oldestWait,
            PoolSnapshot pool)
            implements PoolState {}

    private record Statistics(Figures total, Figures recent, Duration window, Rates acquisitionRates, Rates leaseRates)
            implements PoolStatistics {
        @Override
        public int activePeak() {
            return 43;
        }

        @Override
        public int pendingPeak() {
            return 44;
        }
    }

    private record Span(
            Map<AcquisitionOutcome, HistogramSnapshot> acquisitions,
            HistogramSnapshot attempts,
            HistogramSnapshot leases,
            HistogramSnapshot connects,
            CountDistribution active,
            CountDistribution pending,
            CountDistribution limit,
            CountDistribution grownBy,
            CountDistribution retries,
            long growths,
            long shrinks,
            long refusedGrowths,
            long connectFailures,
            long leaksSuspected,
            long nestedAcquisitions,
            long listenerErrors)
            implements Figures {
        @Override
        public HistogramSnapshot acquisition(AcquisitionOutcome outcome) {
            return acquisitions.getOrDefault(outcome, HistogramSnapshot.EMPTY);
        }

        @Override
        public long counter(PoolMetric metric) {
            return switch (metric) {
                case TIMEOUTS -> acquisition(AcquisitionOutcome.TIMEOUT).count();
                case GROWTHS -> growths;
                case SHRINKS -> shrinks;
                case REFUSED_GROWTHS -> refusedGrowths;
                case CONNECT_FAILURES -> connectFailures;
                case LEAKS_SUSPECTED -> leaksSuspected;
                case NESTED_ACQUISITIONS -> nestedAcquisitions;
                case LISTENER_ERRORS -> listenerErrors;
                default -> throw mustBe(metric, PoolMetric.Kind.COUNTER);
            };
        }

        @Override
        public HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome) {
            return switch (metric) {
                case ACQUISITION -> acquisition(outcome);
                case ATTEMPT -> attempts;
                case LEASE -> leases;
                case CONNECT -> connects;
                case CLASS_WAIT -> acquisition(AcquisitionOutcome.OK);
                default -> throw mustBe(metric, PoolMetric.Kind.TIMER);
            };
        }

        @Override
        public CountDistribution numbers(PoolMetric metric) {
            return switch (metric) {
                case ACTIVE_SAMPLED -> active;
                case PENDING_SAMPLED -> pending;
                case LIMIT_SAMPLED -> limit;
                case GROWN_BY_SAMPLED -> grownBy;
                case RETRIES -> retries;
                default -> throw mustBe(metric, PoolMetric.Kind.DISTRIBUTION);
            };
        }

        private static IllegalArgumentException mustBe(PoolMetric metric, PoolMetric.Kind wanted) {
            return new IllegalArgumentException(
                    metric + ": is a " + metric.kind() + (metric.perClass() ? " of each class" : "") + ", must be a "
                            + wanted.name().toLowerCase(Locale.ROOT));
        }
    }

    private record OfClass(
            String name,
            int guaranteed,
            OptionalInt max,
            int leased,
            int waiting,
            HistogramSnapshot waits,
            HistogramSnapshot recentWaits,
            long timeouts,
            long shed)
            implements RequestClass {}

    private static final PartView SERVER = new Shown(
            "server",
            List.of(
                    gauge(
                                    "server.usable",
                                    "{session}",
                                    "Sessions that the server allows this pool's user, read once a minute.",
                                    97)
                            .nonAdditive(),
                    gauge(
                                    "server.sessions",
                                    "{session}",
                                    "Sessions of this application on the server, all its instances together.",
                                    41)
                            .nonAdditive()));

    private record Shown(String name, List<PartMetric> metrics) implements PartView {
        @Override
        public List<String> reportLines() {
            return List.of();
        }

        @Override
        public Map<String, Object> fields() {
            return Map.of();
        }

        @Override
        public Map<String, String> texts() {
            return Map.of();
        }
    }

    /**
     * Rates that a test expects.
     *
     * @param mean per second, over the whole life
     * @param oneMinute per second, over the last minute
     * @param fiveMinutes per second, over the last five minutes
     * @param fifteenMinutes per second, over the last fifteen minutes
     */
    public record Averages(double mean, double oneMinute, double fiveMinutes, double fifteenMinutes) implements Rates {}

    private final String name;
    private final Set<PoolMetric> untold = EnumSet.noneOf(PoolMetric.class);
    private volatile PoolState state = BUSY;
    private volatile int times = 10;
    private volatile boolean broken;
    private volatile boolean failures = true;
    private volatile boolean classes;
    private volatile List<PartView> parts = List.of(FLEET, SERVER);
    private final AtomicInteger readings = new AtomicInteger();

    /**
     * Creates a busy pool.
     *
     * @param name its name
     */
    public ScriptedPool(String name) {
        this.name = name;
    }

    /**
     * From now on the pool reports nothing itself, like one without an adapter.
     *
     * @return this pool
     */
    public ScriptedPool tellsNothing() {
        int unknown = PoolSnapshot.UNKNOWN;
        state = new State(unknown, unknown, unknown, 7, 0, 0, 0, Duration.ZERO, PoolSnapshot.NOTHING_KNOWN);
        return this;
    }

    /** From now on the pool reports its figures, as one does that is used for the first time. */
    public void starts() {
        state = BUSY;
    }

    /**
     * Makes a metric unsupported.
     *
     * @param metric the metric
     * @return this pool
     */
    public ScriptedPool without(PoolMetric metric) {
        untold.add(metric);
        return this;
    }

    /**
     * The pool has {@link #CLASSES} of requests, and else one class for all.
     *
     * @return this pool
     */
    public ScriptedPool withClasses() {
        classes = true;
        return this;
    }

    /**
     * The pool has a part with one metric of each form: a gauge, one that has no value, a counter, and a duration.
     *
     * @return this pool
     */
    public ScriptedPool withPart() {
        parts = List.of(new Shown(
                "sample",
                List.of(
                        PartMetric.gauge(
                                "sample.held", "flexpool.sample.held", "{connection}", "Held.", () -> 60 + times),
                        PartMetric.gauge(
                                "sample.none", "flexpool.sample.none", "{connection}", "None.", () -> Double.NaN),
                        PartMetric.counter(
                                "sample.calls", "flexpool.sample.calls", "{call}", "Calls.", () -> 1000 + times),
                        PartMetric.gauge("sample.age", "flexpool.sample.age", "s", "Age.", () -> 1.25 * times))));
        return this;
    }

    /**
     * The pool has no parts.
     *
     * @return this pool
     */
    public ScriptedPool withoutParts() {
        parts = List.of();
        return this;
    }

    private static PartMetric gauge(String name, String unit, String meaning, int value) {
        return PartMetric.gauge(name, "flexpool." + name, unit, meaning, () -> value);
    }

    /**
     * From now on the pool is only watched: it has no limit.
     *
     * @return this pool
     */
    public ScriptedPool watched() {
        int unknown = PoolSnapshot.UNKNOWN;
        state = new State(unknown, unknown, unknown, 7, 0, 0, 0, Duration.ZERO, BUSY.pool());
        return this;
    }

    /**
     * From now on the pool is only watched, and all its requests wait inside of it.
     *
     * @param leased connections that are leased through flexpool
     * @param entering requests that wait inside the pool
     * @param max the most physical connections
     * @param total the physical connections that are open
     * @return this pool
     */
    public ScriptedPool watched(int leased, int entering, int max, int total) {
        int unknown = PoolSnapshot.UNKNOWN;
        PoolSnapshot snapshot = new PoolSnapshot(max, max, total, 0, total, entering);
        state = new State(unknown, unknown, unknown, leased, entering, 0, 0, Duration.ZERO, snapshot);
        return this;
    }

    /**
     * Every acquisition so far was successful.
     *
     * @return this pool
     */
    public ScriptedPool withoutFailures() {
        failures = false;
        return this;
    }

    /** From now on acquisitions have failed, in every way. */
    public void fails() {
        failures = true;
    }

    /**
     * Multiplies all counts.
     *
     * @param newTimes 10 at first; only ever raised, because figures since the start never fall
     */
    public void times(int newTimes) {
        times = newTimes;
    }

    /** From now on reading throws. */
    public void breaks() {
        broken = true;
    }

    /**
     * How often the statistics were read.
     *
     * @return never negative
     */
    public int readings() {
        return readings.get();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String type() {
        return "scripted";
    }

    @Override
    public boolean supports(PoolMetric metric) {
        return !untold.contains(metric) && (classes || !metric.perClass());
    }

    @Override
    public PoolState state() {
        if (broken) {
            throw new IllegalStateException("this pool cannot be read");
        }
        return state;
    }

    @Override
    public PoolStatistics statistics() {
        if (broken) {
            throw new IllegalStateException("this pool cannot be read");
        }
        readings.incrementAndGet();
        return new Statistics(
                figures(times, failures), figures(1, failures), Duration.ofMinutes(1), ACQUISITION_RATES, LEASE_RATES);
    }

    @Override
    public PoolDiagnosis diagnosis() {
        return new PoolDiagnosis() {
            @Override
            public boolean scaleOutHelps() {
                return false;
            }

            @Override
            public Housekeeping housekeeping() {
                return new Housekeeping(Duration.ofMillis(90), 800 + times, List.of());
            }
        };
    }

    @Override
    public List<PartView> parts() {
        return parts;
    }

    @Override
    public List<RequestClass> classes() {
        if (!classes) {
            return List.of();
        }
        return List.of(
                requestClass(CLASSES.get(0), 51, OptionalInt.empty(), 50_000_000),
                requestClass(CLASSES.get(1), 54, OptionalInt.of(55), 60_000_000));
    }

    private RequestClass requestClass(String name, int guaranteed, OptionalInt max, long unitNanos) {
        int leased = max.orElse(guaranteed) + 1;
        return new OfClass(
                name,
                guaranteed,
                max,
                leased,
                leased + 1,
                durations(times, unitNanos),
                durations(1, unitNanos),
                leased + times,
                900 + leased + times);
    }

    private static Figures figures(int times, boolean failures) {
        Map<AcquisitionOutcome, HistogramSnapshot> acquisitions = new EnumMap<>(AcquisitionOutcome.class);
        long unitNanos = 0;
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            unitNanos += 1_000_000;
            if (failures || outcome == AcquisitionOutcome.OK) {
                acquisitions.put(outcome, durations(times, unitNanos));
            }
        }
        return new Span(
                acquisitions,
                durations(times, 20_000_000),
                durations(times, 30_000_000),
                durations(times, 40_000_000),
                numbers(times, 1),
                numbers(times, 2),
                numbers(times, 3),
                numbers(times, 4),
                numbers(times, 5),
                100 + times,
                200 + times,
                300 + times,
                400 + times,
                600 + times,
                700 + times,
                500 + times);
    }

    /**
     * A number of each of 1, 2 … 100 times a duration.
     *
     * @param times the number of each
     * @param unitNanos the shortest, nanoseconds
     * @return a histogram
     */
    public static HistogramSnapshot durations(long times, long unitNanos) {
        long[] counts = new long[HistogramSnapshot.BUCKETS];
        long sum = 0;
        for (int factor = 1; factor <= 100; factor++) {
            long nanos = factor * unitNanos;
            int index = (int) Math.ceil(Math.log(nanos / 1e9) / Math.log(2) * 8) - 1;
            counts[index - HistogramSnapshot.FIRST_INDEX] += times;
            sum += times * nanos;
        }
        return HistogramSnapshot.of(counts, Duration.ofNanos(sum), unitNanos, 100 * unitNanos);
    }

    /**
     * A number of each of a hundred values.
     *
     * @param times the number of each
     * @param first the smallest value
     * @return a distribution
     */
    public static CountDistribution numbers(int times, int first) {
        long[] seen = new long[first + 100];
        for (int at = first; at < seen.length; at++) {
            seen[at] = times;
        }
        return CountDistribution.of(seen);
    }
}
