// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.part;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.server.ServerView;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.spi.BlockingCalls;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartSettings;
import io.flexpool.spi.PoolLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One pool, as its parts see it. Thread-safe. */
final class PartHost implements PartContext {
    private final PoolContext context;
    private final LongFunction<List<OpenLease>> openLeases;
    private final IntSupplier knee;
    private final @Nullable PoolLimit limit;
    private final PoolParts others;
    private volatile @Nullable PoolView pool;

    PartHost(
            PoolContext context,
            LongFunction<List<OpenLease>> openLeases,
            IntSupplier knee,
            @Nullable PoolLimit limit,
            PoolParts others) {
        this.context = context;
        this.openLeases = openLeases;
        this.knee = knee;
        this.limit = limit;
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
    public String type() {
        return context.adapter().type();
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
        ServerView server = context.server();
        return type.isInstance(server) ? Optional.of(type.cast(server)) : others.view(type);
    }

    @Override
    public List<OpenLease> openLeases() {
        return List.copyOf(openLeases.apply(nanos()));
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
        int measured = knee.getAsInt();
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
    public Map<String, String> facts() {
        PoolConfig config = context.config();
        Map<String, String> facts = new HashMap<>();
        facts.put("kind", type());
        int max = config.gated() ? config.base() : max();
        if (max != PoolSnapshot.UNKNOWN) {
            facts.put("max", Integer.toString(max));
        }
        if (!config.classes().isEmpty()) {
            facts.put("classes", config.classes().stream().map(ClassRule::name).collect(Collectors.joining(",")));
        }
        for (ClassRule rule : config.classes()) {
            facts.put("classes." + rule.name() + ".guarantee", Double.toString(rule.guarantee()));
            if (rule.most() != null) {
                facts.put("classes." + rule.name() + ".most", Integer.toString(rule.most()));
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
            // A pool that is being wrapped may not have begun.
            return PoolSnapshot.UNKNOWN;
        }
    }

    @Override
    public void failed(String what, Throwable thrown) {
        context.listeners().failed(what, thrown);
    }
}
