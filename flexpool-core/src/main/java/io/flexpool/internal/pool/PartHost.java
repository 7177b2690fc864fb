// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Secrets;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The context of the parts of one pool. Thread-safe. */
final class PartHost implements PartContext {
    private final PoolContext context;
    private final @Nullable Limiter limiter;
    private final @Nullable PoolLimit limit;
    private final LeaseTracker leases;
    private final Operations operations;
    private final PoolWatch watch;
    private final PoolParts others;
    private volatile @Nullable PoolView pool;

    PartHost(
            PoolContext context,
            @Nullable Limiter limiter,
            LeaseTracker leases,
            Operations operations,
            PoolWatch watch,
            PoolParts others) {
        this.context = context;
        this.limiter = limiter;
        this.limit = limiter == null ? null : new LimitDoor(context, limiter, watch);
        this.leases = leases;
        this.operations = operations;
        this.watch = watch;
        this.others = others;
    }

    void started(PoolView view) {
        pool = view;
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public PartSettings settings() {
        PoolConfig config = context.config();
        return config.parts().settings(config.values());
    }

    @Override
    public long nanos() {
        return context.nanos();
    }

    @Override
    public PoolView pool() {
        PoolView view = pool;
        if (view == null) {
            throw new IllegalStateException(name() + ": the pool cannot be read before the part is started");
        }
        return view;
    }

    @Override
    public PoolAdapter adapter() {
        return context.adapter();
    }

    @Override
    public DataSource dataSource() {
        return context.config().target();
    }

    @Override
    public @Nullable PoolLimit limit() {
        return limit;
    }

    @Override
    public BlockingCalls calls(int most) {
        return new PoolExecutor(name(), most, context.listeners(), context.ticker());
    }

    @Override
    public <T> Optional<T> offered(Class<T> type) {
        return others.view(type);
    }

    @Override
    public List<OpenLease> openLeases() {
        return leases.open(nanos());
    }

    @Override
    public Duration acquisitionTimeout() {
        return Duration.ofNanos(context.config().timeoutNanos());
    }

    @Override
    public Duration waitTarget() {
        return context.config().values().need(CoreKey.SIZING_WAIT_TARGET, Duration.class);
    }

    @Override
    public OptionalInt knee() {
        int measured = watch.parts().sizing().knee();
        return measured < 1 ? OptionalInt.empty() : OptionalInt.of(measured);
    }

    @Override
    public Duration connectP99() {
        return Duration.ofNanos(context.recorder().connectP99Nanos());
    }

    @Override
    public long requestsEnded() {
        return context.recorder().ended();
    }

    @Override
    public long requestsEnded(AcquisitionOutcome outcome) {
        return outcome == AcquisitionOutcome.OK
                ? context.recorder().acquired()
                : context.recorder().failed(outcome);
    }

    @Override
    public int mayOpen() {
        return context.mode().limiting() ? context.limits().configuredCeiling() : max();
    }

    @Override
    public @Nullable String callSite() {
        return leases.callSiteOfCall();
    }

    @Override
    public boolean showsStatements() {
        return context.config().values().flag(CoreKey.STATEMENT_TEXT);
    }

    @Override
    public Supplier<List<Leased>> leasedConnections() {
        return leases.leasedConnections();
    }

    @Override
    public boolean ownBegins() {
        return context.limits().ownBegins(true);
    }

    @Override
    public void ownEnds() {
        context.limits().ownEnds();
    }

    @Override
    public boolean ownFits() {
        return context.limits().ownFits();
    }

    @Override
    public boolean moves() {
        Set<Capability> can = context.adapter().capabilities();
        return can.contains(Capability.EVICT) && !can.contains(Capability.TRANSACTIONS);
    }

    @Override
    public void moved(String why) {
        if (limiter != null) {
            limiter.resizer().movesToAnotherServer();
        }
        operations.evict(why);
    }

    @Override
    public void publish(String event, String text, Map<String, String> facts) {
        Map<String, String> shown = new LinkedHashMap<>(facts);
        shown.replaceAll((name, fact) -> Secrets.masked(PlainText.line(fact)));
        context.listeners().raise(new Events.PartReported(name(), event, Secrets.masked(PlainText.line(text)), shown));
    }

    @Override
    public Map<String, String> facts() {
        PoolConfig config = context.config();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kind", context.adapter().type());
        int max = config.gated() ? config.base() : max();
        if (max != PoolSnapshot.UNKNOWN) {
            facts.put("max", Integer.toString(max));
        }
        if (!config.classes().isEmpty()) {
            facts.put("classes", config.classes().stream().map(ClassRule::name).collect(Collectors.joining(",")));
        }
        for (ClassRule rule : config.classes()) {
            facts.put("classes." + rule.name() + ".guarantee", Double.toString(rule.guarantee()));
            if (rule.max() != null) {
                facts.put("classes." + rule.name() + ".max", Integer.toString(rule.max()));
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(config.timeoutNanos());
        if (millis > 0 && millis < Integer.MAX_VALUE) {
            facts.put("timeoutMillis", Long.toString(millis));
        }
        return Map.copyOf(facts);
    }

    private int max() {
        try {
            return context.adapter().snapshot().max();
        } catch (RuntimeException | LinkageError unreadable) {
            // A pool that is being wrapped may not have started.
            return PoolSnapshot.UNKNOWN;
        }
    }

    @Override
    public void failed(String what, Throwable thrown) {
        context.listeners().failed(what, thrown);
    }
}
