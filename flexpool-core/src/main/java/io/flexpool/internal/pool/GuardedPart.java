// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.SessionInsight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** One part. Its exceptions end here. */
final class GuardedPart implements PartView {
    /** A longer tick is reported: the next tick is due after a quarter of a second. */
    private static final long HANGS_NANOS = 2_000_000_000L;

    private final String name;
    private final String who;
    private final PoolPart part;
    private final ListenerGuard guard;
    private List<PartMetric> metrics = List.of();
    /** When the last tick began, by the pool's clock. */
    private volatile long beganNanos;

    private volatile boolean ticking;
    /** The class of the last tick's exception; null if it threw none. */
    private volatile @Nullable Class<?> threw;

    GuardedPart(String name, PoolPart part, ListenerGuard guard) {
        this.name = name;
        this.who = "the part " + name;
        this.part = part;
        this.guard = guard;
    }

    private List<PartMetric> guarded(List<PartMetric> all, PoolParts others) {
        List<PartMetric> guarded = new ArrayList<>();
        for (PartMetric metric : all) {
            if (others.isNew(name, metric)) {
                guarded.add(guarded(metric));
            }
        }
        return List.copyOf(guarded);
    }

    /** If reading throws, a gauge has no value; a counter keeps its last one and never falls: rates depend on it. */
    private PartMetric guarded(PartMetric metric) {
        DoubleSupplier value = () -> guard.ask(who, metric::value, Double.NaN);
        if (metric.kind() == PoolMetric.Kind.COUNTER) {
            LongAccumulator most = new LongAccumulator(Math::max, 0);
            return PartMetric.counter(
                    metric.shortName(), metric.conventionName(), metric.unit(), metric.meaning(), () -> {
                        most.accumulate((long) value.getAsDouble());
                        return most.get();
                    });
        }
        PartMetric gauge =
                PartMetric.gauge(metric.shortName(), metric.conventionName(), metric.unit(), metric.meaning(), value);
        return metric.additive() ? gauge : gauge.nonAdditive();
    }

    @Nullable
    LeaseSink leases() {
        return guard.ask(who, part::leases, null);
    }

    @Nullable
    SessionInsight insight() {
        return guard.ask(who, part::insight, null);
    }

    @Nullable
    ReturnCheck returns() {
        return guard.ask(who, part::returns, null);
    }

    /** Reads the metrics, once all parts are made: a part's metrics may depend on other parts. */
    void made(PoolParts others) {
        metrics = guard.ask(who, () -> guarded(part.metrics(), others), List.of());
    }

    String who() {
        return who;
    }

    void start() {
        guard.guard(who, part::start);
    }

    void tick(PoolState state, long nowNanos) {
        beganNanos = nowNanos;
        ticking = true;
        try {
            threw = guard.threw(who, () -> part.tick(state, nowNanos));
        } finally {
            ticking = false;
        }
    }

    <T> Optional<T> view(Class<T> type) {
        return guard.ask(who, () -> Objects.requireNonNull(part.view(type)), Optional.empty());
    }

    @Nullable
    String trouble(long nowNanos) {
        long tookNanos = nowNanos - beganNanos;
        if (ticking && tookNanos >= HANGS_NANOS) {
            return who + " has not returned for " + tookNanos / 1_000_000 + " ms";
        }
        Class<?> thrown = threw;
        if (thrown != null) {
            return who + " threw " + thrown.getName() + " in its last tick";
        }
        String trouble = guard.ask(who, () -> part.trouble(nowNanos), null);
        return trouble == null ? null : shown(trouble);
    }

    void poolCloses() {
        guard.last(who, part::poolCloses);
    }

    void ended(boolean closed) {
        guard.last(who, () -> part.ended(closed));
    }

    void close() {
        guard.last(who, part::close);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<PartMetric> metrics() {
        return metrics;
    }

    @Override
    public List<String> reportLines() {
        return guard.ask(
                who, () -> part.reportLines().stream().map(GuardedPart::shown).toList(), List.of());
    }

    List<String> findings() {
        return guard.ask(
                who, () -> part.findings().stream().map(GuardedPart::shown).toList(), List.of());
    }

    @Nullable
    String advice(Cause cause) {
        String advice = guard.ask(who, () -> part.advice(cause), null);
        return advice == null ? null : shown(advice);
    }

    @Override
    public Map<String, Object> fields() {
        return guard.ask(who, () -> Collections.unmodifiableMap(new LinkedHashMap<>(part.fields())), Map.of());
    }

    @Override
    public Map<String, String> texts() {
        return guard.ask(who, () -> shown(part.texts()), Map.of());
    }

    @Override
    public Map<String, String> health() {
        return guard.ask(who, () -> shown(part.health()), Map.of());
    }

    private static Map<String, String> shown(Map<String, String> texts) {
        Map<String, String> shown = new LinkedHashMap<>();
        texts.forEach((key, text) -> shown.put(key, shown(text)));
        return Collections.unmodifiableMap(shown);
    }

    /** On one line, with possible passwords masked: a part may pass on text from elsewhere. */
    private static String shown(String text) {
        return PlainText.line(Secrets.masked(text));
    }
}
