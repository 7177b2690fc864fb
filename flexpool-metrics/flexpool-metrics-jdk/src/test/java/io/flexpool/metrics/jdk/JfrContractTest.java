// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolListener;
import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Reads the figures back from recordings: one serves all reads within a moment. */
class JfrContractTest extends MetricsContract {
    private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final double SECOND = 1e9;

    @TempDir
    @Nullable
    Path directory;

    private List<RecordedEvent> recorded = List.of();
    private long recordedNanos;
    private boolean stale = true;

    @Override
    protected MetricsBinder binder() {
        return pool -> new Watched(JfrEvents.create().bind(pool));
    }

    /** A recording made before a pool was bound or unbound is stale. */
    private final class Watched implements MetricsBinder.Binding {
        private final MetricsBinder.Binding binding;

        Watched(MetricsBinder.Binding binding) {
            this.binding = binding;
            stale = true;
        }

        @Override
        public LeaseObserver observer() {
            return binding.observer();
        }

        @Override
        public @Nullable PoolListener listener() {
            return binding.listener();
        }

        @Override
        public void unbind() {
            stale = true;
            binding.unbind();
        }
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            case TIMER -> EnumSet.complementOf(EnumSet.of(Part.VALUE));
            case DISTRIBUTION -> EnumSet.noneOf(Part.class);
        };
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        boolean timer = figure.metric().kind() == Kind.TIMER;
        for (RecordedEvent event : recorded()) {
            if (!event.getString("pool").equals(pool)) {
                continue;
            }
            if (timer && isOf(event, figure)) {
                double value = event.getLong(item(figure.part()));
                return OptionalDouble.of(figure.part() == Part.COUNT ? value : value / SECOND);
            }
            if (!timer && isOfFigures(event, figure)) {
                return gauge(event, figure.metric());
            }
        }
        return OptionalDouble.empty();
    }

    private static boolean isOfFigures(RecordedEvent event, Figure figure) {
        String type = event.getEventType().getName();
        return figure.metric().perClass()
                ? type.equals(ClassFiguresEvent.NAME)
                        && event.getString("requestClass").equals(figure.requestClass())
                : type.equals(PoolFigures.NAME);
    }

    private static boolean isOf(RecordedEvent event, Figure figure) {
        PoolMetric metric = figure.metric();
        String name = metric.perClass() ? metric.shortName(figure.requestClass()) : metric.shortName();
        return event.getEventType().getName().equals(PoolDurations.NAME)
                && event.getString("figure").equals(name)
                && (figure.metric() != PoolMetric.ACQUISITION
                        || event.getString("outcome").equals(figure.outcome().label()));
    }

    private static OptionalDouble gauge(RecordedEvent event, PoolMetric metric) {
        String field = switch (metric) {
            case ACTIVE_MEAN -> "activeMean";
            case ACTIVE_PEAK -> "activePeak";
            case PENDING_PEAK -> "pendingPeak";
            case SCALE_OUT_HELPS -> "scaleOutHelps";
            case LIMIT -> "effectiveLimit";
            case MIN_IDLE -> "minIdle";
            case OLDEST_WAIT -> "oldestWait";
            case REFUSED_GROWTHS -> "refusedGrowths";
            case CONNECT_FAILURES -> "connectFailures";
            case LEAKS_SUSPECTED -> "leaksSuspected";
            case NESTED_ACQUISITIONS -> "nestedAcquisitions";
            case LISTENER_ERRORS -> "listenerErrors";
            case EVENTS_DROPPED -> "eventsDropped";
            case TICK_AGE -> "tickAge";
            default -> metric.perClass() ? metric.shortName().substring("class.".length()) : metric.shortName();
        };
        Number number = event.getValue(field);
        double value = number.doubleValue();
        return value < 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(metric.unit() == Unit.NANOSECONDS ? value / SECOND : value);
    }

    private static String item(Part part) {
        return switch (part) {
            case COUNT -> "count";
            case SUM -> "sum";
            case RECENT_MEAN -> "recentMean";
            case RECENT_MAX -> "recentMax";
            case RECENT_P50 -> "recentP50";
            case RECENT_P95 -> "recentP95";
            case RECENT_P99 -> "recentP99";
            case VALUE -> throw new IllegalArgumentException("durations have no value");
        };
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        return recorded().stream()
                .filter(event -> event.getEventType().getName().equals(PartFigure.NAME))
                .filter(event -> event.getString("pool").equals(pool)
                        && event.getString("name").equals(metric.shortName()))
                .mapToDouble(event -> event.getDouble("value"))
                .findFirst();
    }

    /**
     * The values that there are, by their metric. A metric that moves to a part moves from a field of {@code PoolFigures} to an
     * event: its name, pool and value stay.
     */
    @Override
    protected Set<String> described() {
        Set<String> described = new HashSet<>();
        for (RecordedEvent event : recorded()) {
            if (event.getEventType().getName().equals(PartFigure.NAME)) {
                described.add(event.getString("name") + " " + event.getString("pool") + " " + event.getDouble("value"));
            } else if (event.getEventType().getName().equals(PoolFigures.NAME)) {
                for (PoolMetric metric : PoolMetric.values()) {
                    boolean single = metric.kind() == Kind.GAUGE && !metric.perClass();
                    OptionalDouble value = single ? gauge(event, metric) : OptionalDouble.empty();
                    if (value.isPresent()) {
                        described.add(metric.shortName() + " " + event.getString("pool") + " " + value.getAsDouble());
                    }
                }
            }
        }
        return described;
    }

    @Override
    protected Set<String> registered() {
        stale = true;
        return recorded().stream().map(event -> event.getString("pool")).collect(Collectors.toSet());
    }

    private List<RecordedEvent> recorded() {
        if (stale || System.nanoTime() - recordedNanos > MOMENT_NANOS) {
            recorded = record();
            recordedNanos = System.nanoTime();
            stale = false;
        }
        return recorded;
    }

    private List<RecordedEvent> record() {
        try (Recording recording = new Recording()) {
            recording.enable(PoolFigures.NAME).with("period", "everyChunk");
            recording.enable(PoolDurations.NAME).with("period", "everyChunk");
            recording.enable(ClassFiguresEvent.NAME).with("period", "everyChunk");
            recording.enable(PartFigure.NAME).with("period", "everyChunk");
            recording.start();
            recording.stop();
            if (directory == null) {
                throw new IllegalStateException("no directory for recordings");
            }
            Path file = Files.createTempFile(directory, "recording", ".jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
