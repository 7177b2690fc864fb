// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.mockito.Mockito.mock;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;

/**
 * A pool that does what a test says: hands out mocks, throws, returns null. For faults that no real pool produces on
 * demand; everything else is tested on real pools.
 */
public final class FakePool implements PoolAdapter {
    /** What the next {@code getConnection()} does. */
    public interface Answer {
        @Nullable
        Connection answer() throws Throwable;
    }

    /** What a connection past the pool is. */
    public interface Connect {
        @Nullable
        Connection connect() throws SQLException;
    }

    public final DataSource dataSource = mock(DataSource.class);
    public volatile Connect connect = () -> null;
    public final AtomicInteger calls = new AtomicInteger();
    public final AtomicInteger closed = new AtomicInteger();
    public volatile Answer answer = this::connection;
    public volatile Kind kind = Kind.EXHAUSTED;
    /** What the adapter knows of a failure beyond what the pool throws. */
    public volatile @Nullable Throwable known;
    /** The connections that were aborted through the pool. */
    public final List<Connection> aborted = new CopyOnWriteArrayList<>();

    public volatile int max = 2;
    public volatile int total = 2;
    public volatile int pending = PoolSnapshot.UNKNOWN;
    public volatile int active = PoolSnapshot.UNKNOWN;
    public volatile int idle = PoolSnapshot.UNKNOWN;
    public volatile boolean resizeThrows;
    /** Runs in place of a restore. */
    public Runnable restore = this::putBack;

    public volatile @Nullable Error closeThrows;
    /** Null is "for ever". */
    public volatile @Nullable Duration timeout = Duration.ofMillis(200);

    /** What reading the pool does first. */
    public volatile Runnable onSnapshot = () -> {};
    /** What aborting a connection does first. */
    public volatile Consumer<Connection> onAbort = connection -> {};

    public final AtomicInteger poolClosed = new AtomicInteger();
    /** What the pool's close does before it ends. */
    public volatile Runnable onClose = () -> {};
    /** Whether the pool shows that it is closed. */
    public volatile boolean shownClosed;
    /** The last ceiling that the pool was prepared for. */
    public volatile int preparedFor;

    /** What it can be prepared for at most. */
    public volatile int largestMax = Integer.MAX_VALUE;

    /** How many connections it was woken for, call by call. */
    public final BlockingQueue<Integer> woken = new LinkedBlockingQueue<>();

    /** What it was trimmed to, call by call. */
    public final BlockingQueue<Integer> trimmed = new LinkedBlockingQueue<>();

    /** How often its idle connections were closed. */
    public final AtomicInteger evicted = new AtomicInteger();
    /** The connections that were given back to be closed. */
    public final List<Connection> discarded = new CopyOnWriteArrayList<>();
    /** What giving one back throws. */
    public volatile @Nullable SQLException discardThrows;

    /** Whether the pool has taken a connection back; null if it never does. */
    public volatile @Nullable Predicate<Connection> takenBack;
    /** Thrown instead. */
    public volatile @Nullable RuntimeException takenBackUnreadable;
    /** When a request has the pool take connections back; null if none does. */
    public volatile @Nullable Duration overdueAfter;
    /** How often it was asked to. */
    public final AtomicInteger takenBackOverdue = new AtomicInteger();

    private volatile int before;
    private volatile @Nullable PoolTransactions transactions;
    private final Set<Capability> capabilities = EnumSet.of(Capability.LIVE_RESIZE, Capability.PHYSICAL_FOLLOWS_LIMIT);
    /** The timeouts of single calls, if {@link #perCallTimeout()} was called. */
    public final List<Duration> perCall = new CopyOnWriteArrayList<>();

    public FakePool() {
        try {
            Mockito.when(dataSource.getConnection()).thenAnswer(call -> {
                calls.incrementAndGet();
                return answer.answer();
            });
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** From now on this pool knows a timeout for each call. */
    public FakePool perCallTimeout() {
        capabilities.add(Capability.PER_CALL_TIMEOUT);
        return this;
    }

    /** From now on this pool takes part in transactions. */
    public FakePool takesPartIn(PoolTransactions all) {
        capabilities.add(Capability.TRANSACTIONS);
        transactions = all;
        return this;
    }

    @Override
    public @Nullable PoolTransactions transactions() {
        return transactions;
    }

    /** From now on this pool has a capability. */
    public void can(Capability capability) {
        capabilities.add(capability);
    }

    /** From now on this pool lacks a capability. */
    public void cannot(Capability capability) {
        capabilities.remove(capability);
    }

    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        perCall.add(Duration.ofNanos(timeoutNanos));
        calls.incrementAndGet();
        try {
            return Objects.requireNonNull(answer.answer());
        } catch (SQLException | RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable thrown) {
            throw new SQLException(thrown);
        }
    }

    /** A connection that counts its closes. */
    public Connection connection() {
        Connection connection = mock(Connection.class);
        try {
            Mockito.doAnswer(call -> closed.incrementAndGet()).when(connection).close();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return connection;
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        return connect.connect();
    }

    @Override
    public String type() {
        return "Fake";
    }

    @Override
    public Set<Capability> capabilities() {
        return capabilities;
    }

    @Override
    public PoolSnapshot snapshot() {
        onSnapshot.run();
        return new PoolSnapshot(max, 0, active, idle, total, pending);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.ofNullable(timeout);
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "fakeTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (ceiling > largestMax) {
            throw new IllegalArgumentException("maxFake is " + largestMax + ", the ceiling is " + ceiling);
        }
        before = max;
        max = base;
        preparedFor = ceiling;
    }

    @Override
    public void restore() {
        restore.run();
    }

    private void putBack() {
        max = before;
    }

    @Override
    public void resize(int newMax) {
        if (resizeThrows) {
            throw new IllegalStateException("resize is broken");
        }
        max = newMax;
        total = newMax;
    }

    @Override
    public void wake(int wanted) {
        woken.add(wanted);
    }

    @Override
    public void trim(int newMax) {
        trimmed.add(newMax);
    }

    @Override
    public void evict() {
        evicted.incrementAndGet();
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        discarded.add(connection);
        SQLException thrown = discardThrows;
        if (thrown != null) {
            throw thrown;
        }
        connection.close();
    }

    @Override
    public void abort(Connection connection, Executor executor) {
        onAbort.accept(connection);
        aborted.add(connection);
    }

    @Override
    public @Nullable Predicate<Connection> takenBack() {
        RuntimeException unreadable = takenBackUnreadable;
        if (unreadable != null) {
            throw unreadable;
        }
        return takenBack;
    }

    @Override
    public Optional<Duration> overdueAfter() {
        return Optional.ofNullable(overdueAfter);
    }

    @Override
    public void takeBackOverdue() {
        takenBackOverdue.incrementAndGet();
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        Throwable more = known;
        return AcquisitionFailure.of(kind, more == null ? failure : more);
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return new SQLTransientConnectionException(message, "FAKE1", connectFailure);
    }

    @Override
    public boolean isClosed() {
        return shownClosed;
    }

    @Override
    public void close() {
        poolClosed.incrementAndGet();
        onClose.run();
        Error thrown = closeThrows;
        if (thrown != null) {
            throw thrown;
        }
    }
}
