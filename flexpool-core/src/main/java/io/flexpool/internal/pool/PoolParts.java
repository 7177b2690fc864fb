// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.internal.context.Insight;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.SessionInsight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one pool, in their order. A part's exception is counted, logged and shown as its problem; the other
 * parts and the pool continue. Thread-safe, except the start, the ticks and the end.
 */
public final class PoolParts implements Insight.Findings {
    private final PoolContext context;
    /** Null without parts. */
    private final @Nullable PartHost host;
    /** Null if no part takes leases. */
    private final @Nullable LeaseStream stream;

    private final List<GuardedPart> parts = new ArrayList<>();
    /** The names of all metrics, as written and with underscores; empty before the first part. */
    private final Set<String> names = new HashSet<>();
    /** The parts and metrics that could not be made, a sentence each. */
    private final List<String> missing = new ArrayList<>();

    /** For a pool without parts. */
    public PoolParts(PoolContext context) {
        this.context = context;
        this.host = null;
        this.stream = null;
    }

    /**
     * Makes the parts of a pool.
     *
     * @param limiter applies the limit; null if the pool has none
     * @throws IllegalArgumentException if a part refuses the configuration; then all parts have been closed
     */
    PoolParts(
            PoolContext context,
            @Nullable Limiter limiter,
            LeaseTracker leases,
            Operations operations,
            PoolWatch watch) {
        this.context = context;
        this.host = new PartHost(context, limiter, leases, operations, watch, this);
        for (PoolPartProvider provider : context.config().parts().providers()) {
            make(host, provider);
        }
        for (GuardedPart part : parts) {
            SessionInsight insight = part.insight();
            if (insight != null) {
                context.insight().set(part.who(), insight);
            }
        }
        context.insight().findings(this);
        for (GuardedPart part : parts) {
            part.made(this);
        }
        List<LeaseSink> sinks = sinks();
        this.stream = sinks.isEmpty() ? null : new LeaseStream(context, sinks, leases, watch);
    }

    private void make(PartHost to, PoolPartProvider provider) {
        Throwable thrown = ListenerGuard.thrownBy(() -> {
            PoolPart part = provider.create(to);
            return part == null || parts.add(new GuardedPart(provider.name(), part, context.listeners()));
        });
        if (thrown instanceof IllegalArgumentException refused) {
            close();
            ended(false);
            throw refused;
        }
        if (thrown != null) {
            missing.add("the part " + provider.name() + " could not be made: it threw "
                    + thrown.getClass().getName());
            context.listeners().failed("the part " + provider.name(), thrown);
        }
    }

    /** Two metrics of one name would fail every Prometheus scrape; dots become underscores there. */
    boolean isNew(String part, PartMetric metric) {
        if (names.isEmpty()) {
            for (PoolMetric own : PoolMetric.values()) {
                names.addAll(names(own.shortName(), own.conventionName()));
            }
        }
        List<String> wanted = names(metric.shortName(), metric.conventionName());
        boolean isNew = Collections.disjoint(names, wanted);
        if (isNew) {
            names.addAll(wanted);
        } else {
            missing.add("the metric " + metric.shortName() + " of the part " + part
                    + " is not shown: another metric has this name");
        }
        return isNew;
    }

    private static List<String> names(String shortName, String conventionName) {
        return List.of(shortName, conventionName.replace('.', '_'));
    }

    private List<LeaseSink> sinks() {
        List<LeaseSink> sinks = new ArrayList<>();
        for (GuardedPart part : parts) {
            LeaseSink sink = part.leases();
            if (sink != null) {
                sinks.add(sink);
            }
        }
        return sinks;
    }

    @Override
    public List<String> findings() {
        return parts.stream().flatMap(part -> part.findings().stream()).toList();
    }

    @Override
    public @Nullable String advice(Cause cause) {
        return parts.stream()
                .map(part -> part.advice(cause))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    public List<GuardedCheck> checks() {
        List<GuardedCheck> checks = new ArrayList<>();
        for (GuardedPart part : parts) {
            ReturnCheck check = part.returns();
            if (check != null) {
                checks.add(new GuardedCheck(part.who(), check, context.listeners()));
            }
        }
        return checks;
    }

    /** Starts the parts, with a view of the pool. */
    public void start(PoolView pool) {
        if (host != null) {
            host.started(pool);
        }
        for (GuardedPart part : parts) {
            part.start();
        }
    }

    /** Passes the recorded requests to the parts that take leases. Called once a tick, also for a closed pool. */
    public void passLeases(long nowNanos, PoolState state) {
        if (stream != null) {
            stream.tick(nowNanos, state);
        }
    }

    /** Passes the last recorded requests, and the open leases. */
    public void endLeases() {
        if (stream != null) {
            context.listeners().last("the recorder of leases", stream::close);
        }
    }

    public void tick(PoolState state, long nowNanos) {
        // No iterator: most pools have no part, and a tick should leave nothing to collect.
        for (int at = 0; at < parts.size(); at++) {
            parts.get(at).tick(state, nowNanos);
        }
    }

    /** The view of a type from the first part that has one. */
    public <T> Optional<T> view(Class<T> type) {
        for (GuardedPart part : parts) {
            Optional<T> view = part.view(type);
            if (view.isPresent()) {
                return view;
            }
        }
        return Optional.empty();
    }

    public List<PartView> views() {
        return List.copyOf(parts);
    }

    /** The problems of the parts, which hang, fail or are off, a sentence each. */
    public List<String> troubles(long nowNanos) {
        List<String> troubles = new ArrayList<>();
        String ofLeases = stream == null ? null : stream.trouble();
        if (ofLeases != null) {
            troubles.add(ofLeases);
        }
        troubles.addAll(missing);
        for (GuardedPart part : parts) {
            @Nullable String trouble = part.trouble(nowNanos);
            if (trouble != null) {
                troubles.add(trouble);
            }
        }
        return troubles;
    }

    /** Notifies the parts that the pool is about to be closed. */
    public void poolCloses() {
        for (int at = parts.size() - 1; at >= 0; at--) {
            parts.get(at).poolCloses();
        }
    }

    /** The last call to each part; {@code closed}: whether the pool is closed. */
    public void ended(boolean closed) {
        for (int at = parts.size() - 1; at >= 0; at--) {
            parts.get(at).ended(closed);
        }
    }

    /** Closes the parts, the last one first. */
    public void close() {
        for (int at = parts.size() - 1; at >= 0; at--) {
            parts.get(at).close();
        }
    }
}
