// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool as the part sees it. Time is the test's. */
final class FakePart implements PartContext {
    final FakePool fake = new FakePool();
    final ManualTicker ticker = new ManualTicker();
    final AtomicInteger errors = new AtomicInteger();
    List<Leased> leased = new ArrayList<>();
    Supplier<Boolean> room = () -> true;
    boolean statements;

    @Override
    public String name() {
        return "part";
    }

    @Override
    public PartSettings settings() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long nanos() {
        return ticker.nanos();
    }

    @Override
    public PoolView pool() {
        throw new UnsupportedOperationException();
    }

    @Override
    public PoolAdapter adapter() {
        return fake;
    }

    @Override
    public DataSource dataSource() {
        return fake.dataSource;
    }

    @Override
    public @Nullable PoolLimit limit() {
        return null;
    }

    @Override
    public BlockingCalls calls(int most) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> Optional<T> offered(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public List<OpenLease> openLeases() {
        return List.of();
    }

    @Override
    public Duration acquisitionTimeout() {
        return Duration.ofMillis(200);
    }

    @Override
    public Duration waitTarget() {
        return Duration.ofMillis(10);
    }

    @Override
    public OptionalInt knee() {
        return OptionalInt.empty();
    }

    @Override
    public Duration connectP99() {
        return Duration.ZERO;
    }

    @Override
    public long requestsEnded() {
        return 0;
    }

    @Override
    public long requestsEnded(AcquisitionOutcome outcome) {
        return 0;
    }

    @Override
    public int mayOpen() {
        return 25;
    }

    @Override
    public @Nullable String callSite() {
        return null;
    }

    @Override
    public boolean showsStatements() {
        return statements;
    }

    @Override
    public Supplier<List<Leased>> leasedConnections() {
        return () -> leased;
    }

    @Override
    public boolean ownBegins() {
        return room.get();
    }

    @Override
    public void ownEnds() {}

    @Override
    public boolean moves() {
        return true;
    }

    @Override
    public boolean ownFits() {
        return true;
    }

    @Override
    public void moved(String why) {}

    @Override
    public Map<String, String> facts() {
        return Map.of();
    }

    @Override
    public void publish(String event, String text, Map<String, String> facts) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void failed(String what, Throwable thrown) {
        errors.incrementAndGet();
    }
}
