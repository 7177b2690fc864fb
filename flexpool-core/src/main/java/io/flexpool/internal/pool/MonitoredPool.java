// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.ClassHistory;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolSnapshot.Figure;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and controls one wrapped pool, and builds its components. Thread-safe. */
public final class MonitoredPool implements WrappedPool {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolContext context;
    private final AcquiringPool acquiring;
    private final LeaseTracker leases;
    private final PoolWatch watch;
    /** The figures that the pool reports, now or later. */
    private final Set<Figure> figures;

    private final ModeSwitch modes;
    private final PoolTick ticks;
    private final PoolLifecycle lifecycle;
    private final Operations operations;
    private final PoolParts parts;

    /** Builds the components of a pool. Nothing runs yet: see {@link #start()}. */
    public MonitoredPool(PoolConfig config) {
        this.context = PoolContext.of(
                config,
                config.gated() ? RequestClasses.gate(config) : null,
                config.gated() ? null : new StripedCounter(StripedCounter.stripes()));
        Limiter limiter = Limiter.of(context);
        RequestClasses classes = context.classes();
        if (classes != null) {
            context.recorder().log().classes(classes.names());
        }
        this.figures = config.adapter().figures();
        this.leases = new LeaseTracker(
                context,
                config.gated() ? config.ceiling() : context.state().pool().max());
        this.watch = new PoolWatch(context, limiter, leases);
        StartAlignment alignment = new StartAlignment(context, limiter);
        this.operations = new Operations(context, leases);
        this.parts = config.parts().providers().isEmpty()
                ? new PoolParts(context)
                : new PoolParts(context, limiter, leases, operations, watch);
        this.lifecycle = new PoolLifecycle(context, limiter, leases, parts);
        ConnectionSource source = new ConnectionSource(context);
        LeaseNotices notices = new LeaseNotices(context);
        Admission admission = Admission.of(context, leases, notices, source);
        ConnectionReturn returns = new ConnectionReturn(context, leases);
        if (returns.checks(parts.checks())) {
            leases.observe();
        }
        this.acquiring = new AcquiringPool(
                leases,
                notices,
                returns,
                new SlowPath(context, admission, source, watch, limiter, alignment, lifecycle));
        this.modes = new ModeSwitch(context, limiter, alignment);
        ClaimReconciler claims = new ClaimReconciler(context, acquiring, leases);
        this.ticks = new PoolTick(context, limiter, watch, leases, claims, alignment, parts);
    }

    /** Binds the backends and starts the ticks. If this fails, both are undone. */
    public void start() {
        lifecycle.start(this, acquiring, ticks);
        Integer connections = context.config().values().get(CoreKey.WARM_UP_CONNECTIONS, Integer.class);
        if (connections != null) {
            operations.warmUpAtStart(connections, acquiring::acquire);
        }
    }

    /** Logs how the pool is used; an exception of the log does not stop the pool. */
    public void logStart(String use) {
        context.listeners().guard("the log appender", () -> LOG.info("{}: {}, {}", name(), type(), use));
    }

    public AcquiringPool acquiring() {
        return acquiring;
    }

    // ---- views ----

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public List<String> otherNames() {
        return context.config().otherNames();
    }

    @Override
    public String type() {
        return context.adapter().type();
    }

    @Override
    public PoolState state() {
        return context.state();
    }

    @Override
    public boolean closed() {
        return context.admissionState().closed();
    }

    @Override
    public List<AcquisitionStrategy> strategies() {
        return context.config().strategies().stream().map(Consulted::strategy).toList();
    }

    @Override
    public boolean supports(PoolMetric metric) {
        PoolConfig config = context.config();
        return switch (metric) {
            case CONNECT -> context.adapter().capabilities().contains(Capability.CONNECT_TIME);
            case OLDEST_WAIT, GROWTHS, SHRINKS, REFUSED_GROWTHS, GROWN_BY_SAMPLED -> config.gated();
            case RETRIES -> !config.strategies().isEmpty();
            case LEAKS_SUSPECTED -> config.values().duration(CoreKey.LEAK_THRESHOLD) != null;
            // By the adapter's declaration: a snapshot of a pool that was not used yet may lack the figure.
            case FOREIGN -> config.gated() && figures.contains(Figure.ACTIVE);
            case IDLE -> figures.contains(Figure.IDLE);
            case LIMIT, SATURATION -> config.gated() || figures.contains(Figure.MAX);
            case MAX -> figures.contains(Figure.MAX);
            case MIN_IDLE -> figures.contains(Figure.MIN_IDLE);
            default -> !metric.perClass() || context.classes() != null;
        };
    }

    @Override
    public PoolStatistics statistics() {
        return watch.parts().history().statistics(context.nanos());
    }

    @Override
    public List<OpenLease> openLeases() {
        context.insight().reading();
        return leases.open(context.nanos());
    }

    @Override
    public OpenLease.Inspection inspectLeases(LeaseInspector inspector, boolean each) {
        Runnable end = leases.inspect(inspector, each);
        return new OpenLease.Inspection() {
            @Override
            public Map<Long, OpenLease> openLeases() {
                return leases.numbered(context.nanos());
            }

            @Override
            public void close() {
                end.run();
            }
        };
    }

    @Override
    public List<RequestClass> classes() {
        ClassHistory history = watch.parts().classes();
        RequestClasses classes = context.classes();
        return history == null || classes == null ? List.of() : history.figures(classes.states(), context.nanos());
    }

    @Override
    public List<PartView> parts() {
        return parts.views();
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return parts.view(type);
    }

    @Override
    public PoolDiagnosis diagnosis() {
        return new Diagnosis();
    }

    /** A separate class, because otherwise the first pool of a JVM would load the interface too. */
    private final class Diagnosis implements PoolDiagnosis {
        @Override
        public List<String> controllers() {
            PoolMode mode = mode();
            String controller = switch (mode) {
                case MONITOR -> "is off";
                case RECOMMEND -> "reports only";
                case ADAPT -> "alone moves the limit, up to the ceiling";
            };
            String aside = switch (mode) {
                case MONITOR -> " (suspended)";
                case RECOMMEND -> "";
                case ADAPT -> " (its growth is suspended)";
            };
            List<String> controllers = new ArrayList<>();
            controllers.add("the sizing controller " + controller + " (mode " + mode.toString() + ")");
            for (AcquisitionStrategy strategy : strategies()) {
                // An application's strategy may return any text, and may throw.
                String words =
                        context.listeners().ask("a strategy's toString", () -> "" + strategy, "has no description");
                boolean grows = context.listeners()
                        .ask(
                                "a strategy",
                                () -> strategy.requirements().ceiling().isPresent(),
                                false);
                controllers.add("the strategy " + strategy.getClass().getSimpleName() + " " + Secrets.masked(words)
                        + (mode != PoolMode.ADAPT || grows ? aside : ""));
            }
            return List.copyOf(controllers);
        }

        @Override
        public List<RefusedGrowth> refusedGrowths() {
            return context.refusedGrowths().all();
        }

        @Override
        public boolean scaleOutHelps() {
            return !context.admissionState().paused()
                    && watch.parts().scaleOut().helps();
        }

        @Override
        public PoolEvent.@Nullable CircuitChanged circuit() {
            return watch.parts().failures().connects().circuit();
        }

        @Override
        public int connectFailuresInARow() {
            return watch.parts().failures().connects().inARow();
        }

        @Override
        public Housekeeping housekeeping() {
            return ticks.state();
        }

        @Override
        public List<PoolEvent.Recent> recentEvents() {
            return context.listeners().recentEvents();
        }

        @Override
        public @Nullable Explanation lastExplanation() {
            return watch.parts().explainer().last();
        }

        @Override
        public List<CallSiteStatistics> callSites() {
            return leases.callSites();
        }

        @Override
        public List<Decision> decisions() {
            return watch.parts().decisions().all();
        }
    }

    // ---- at run time, and the end ----

    /** Runs one tick, and calls its listeners, on the calling thread: for tests, which control the time. */
    public void tick() {
        tick(0);
    }

    /** Runs one tick that begins late by this time. */
    public void tick(long lateNanos) {
        ticks.tick(lateNanos);
    }

    @Override
    public PoolMode mode() {
        return context.mode().mode();
    }

    @Override
    public boolean mode(PoolMode wanted) {
        return modes.mode(wanted, () -> watch.parts().failures().circuit().close());
    }

    @Override
    public void limits(int base, int ceiling) {
        modes.limits(base, ceiling);
    }

    @Override
    public PoolPhase phase() {
        return operations.phase();
    }

    @Override
    public int warmUp(int connections, Duration within) {
        return operations.warmUp(connections, within, acquiring::acquire);
    }

    @Override
    public boolean evict(String reason) {
        return operations.evict(reason);
    }

    @Override
    public boolean pause() {
        return operations.pause();
    }

    @Override
    public boolean resume() {
        return operations.resume();
    }

    @Override
    public int drain(Duration within) {
        return drainThenEnd(within, false);
    }

    @Override
    public int drainAndRelease(Duration within) {
        return drainThenEnd(within, true);
    }

    @Override
    public @Nullable Duration drainWithin() {
        return context.config().values().duration(CoreKey.DRAIN_WITHIN);
    }

    private int drainThenEnd(Duration within, boolean staysOpen) {
        int left = operations.drain(within);
        // The pool stays open only if the application closes the pool itself, so one flag decides both.
        end(staysOpen, staysOpen);
        return left;
    }

    @Override
    public void close() {
        drainIfConfigured();
        end(false, true);
    }

    @Override
    public void release() {
        // Does not drain a draining pool again: Spring may release the pool during the drain, after Spring's timeout.
        if (!context.admissionState().draining()) {
            drainIfConfigured();
        }
        end(true, true);
    }

    private void drainIfConfigured() {
        Duration within = drainWithin();
        // A pool that was closed without flexpool has no leases to wait for.
        if (within != null && phase() != PoolPhase.CLOSED) {
            operations.drain(within);
        }
    }

    private void end(boolean staysOpen, boolean byApplication) {
        lifecycle.end(staysOpen, byApplication, ticks, modes, operations::releaseWaiters);
    }
}
