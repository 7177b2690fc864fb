// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool as the part of a test sees it: its time and its figures are the test's. */
final class FakeContext implements PartContext {
    private State state = new State(0, 0, 0, 8);
    private PoolMode mode = PoolMode.RECOMMEND;
    private long nanos = 1_000_000_000L;
    long ended;
    final Map<AcquisitionOutcome, Long> endedBy = new EnumMap<>(AcquisitionOutcome.class);
    int failures;
    Supplier<List<OpenLease>> open = List::of;
    Duration waitTarget = Duration.ofMillis(10);
    Duration timeout = Duration.ofSeconds(30);
    OptionalInt knee = OptionalInt.empty();

    private record State(int limit, int base, int ceiling, int max) implements PoolState {
        @Override
        public int leased() {
            return 0;
        }

        @Override
        public int entering() {
            return 0;
        }

        @Override
        public int waiting() {
            return 0;
        }

        @Override
        public int foreign() {
            return 0;
        }

        @Override
        public Duration oldestWait() {
            return Duration.ZERO;
        }

        @Override
        public boolean bound() {
            return limit > 0;
        }

        @Override
        public PoolSnapshot pool() {
            return new PoolSnapshot(max, -1, -1, -1, -1, -1);
        }
    }

    private final PoolView pool = new PoolView() {
        @Override
        public String name() {
            return FakeContext.this.name();
        }

        @Override
        public String type() {
            return "Fake";
        }

        @Override
        public PoolState state() {
            return state;
        }

        @Override
        public PoolMode mode() {
            return mode;
        }

        @Override
        public PoolStatistics statistics() {
            throw new AssertionError("not read here");
        }
    };

    /** A pool that is only watched, and reports this max. */
    void max(int max) {
        state = new State(0, 0, 0, max);
    }

    /** A pool that is limited. */
    void limited(int base, int limit, PoolMode inMode) {
        state = new State(limit, base, limit, limit);
        mode = inMode;
    }

    void advance(Duration by) {
        nanos += by.toNanos();
    }

    @Override
    public String name() {
        return "part";
    }

    @Override
    public PartSettings settings() {
        throw new AssertionError("not read here");
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public PoolView pool() {
        return pool;
    }

    @Override
    public List<OpenLease> openLeases() {
        return open.get();
    }

    @Override
    public Duration acquisitionTimeout() {
        return timeout;
    }

    @Override
    public Duration waitTarget() {
        return waitTarget;
    }

    @Override
    public PoolAdapter adapter() {
        throw new AssertionError("not read here");
    }

    @Override
    public DataSource dataSource() {
        throw new AssertionError("not read here");
    }

    @Override
    public @Nullable PoolLimit limit() {
        return null;
    }

    @Override
    public BlockingCalls calls(int most) {
        throw new AssertionError("not needed here");
    }

    @Override
    public <T> Optional<T> offered(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public OptionalInt knee() {
        return knee;
    }

    @Override
    public Duration connectP99() {
        return Duration.ZERO;
    }

    @Override
    public long requestsEnded() {
        return ended;
    }

    @Override
    public long requestsEnded(AcquisitionOutcome outcome) {
        return endedBy.getOrDefault(outcome, 0L);
    }

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
        failures++;
    }

    @Override
    public int mayOpen() {
        return -1;
    }

    @Override
    public @Nullable String callSite() {
        return null;
    }

    @Override
    public boolean showsStatements() {
        return false;
    }

    @Override
    public Supplier<List<Leased>> leasedConnections() {
        return List::of;
    }

    @Override
    public boolean ownBegins() {
        return false;
    }

    @Override
    public void ownEnds() {}

    @Override
    public boolean moves() {
        return false;
    }

    @Override
    public boolean ownFits() {
        return true;
    }

    @Override
    public void moved(String why) {}
}
