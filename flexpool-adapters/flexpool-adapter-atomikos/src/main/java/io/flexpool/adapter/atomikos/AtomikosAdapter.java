// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.datasource.pool.CreateConnectionException;
import com.atomikos.datasource.pool.XPooledConnection;
import com.atomikos.jdbc.AtomikosNonXADataSourceBean;
import com.atomikos.jdbc.internal.AbstractDataSourceBean;
import com.atomikos.jdbc.internal.AtomikosSQLException;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes Atomikos. Observed behaviour (from the sources of 5.0.9 and 6.0.0, and from tests):
 *
 * <ul>
 * <li>The pool reads {@code maxPoolSize} and {@code minPoolSize} from its bean each time it needs them, so they may be
 *     set at any time. Threads that already wait inside the pool do not read a raised max; requests admitted by a
 *     growth do. Lowering closes nothing: idle connections are closed after {@code maxIdleTime} (60 s), down to
 *     {@code minPoolSize}.
 * <li>With concurrent requests, a newcomer may take the connection that was opened for another request, which then
 *     waits for a return although the pool has room. This does not happen without
 *     {@code concurrentConnectionValidation}, so the adapter disables it for a bound pool that has not started yet. The
 *     drawback: connections are validated one after another. A pool that started with it may fail such a request, which
 *     then counts as a connect failure.
 * <li>6.0 does not report a failed connect: the request waits until its timeout and fails as for a full pool, with an
 *     {@link AtomikosSQLException} without SQLState and cause. The only difference: the pool was not full. In 5.0 it
 *     fails at once, caused by a {@link CreateConnectionException} and the driver's exception.
 * <li>The pool holds its lock during a connect: in 6.0 at most for {@code borrowConnectionTimeout}, in 5.0 as long as
 *     the driver takes.
 * <li>An interrupt does not end a wait: the thread spins with its flag set until its timeout. 6.0 abandons a connect
 *     that the thread has requested.
 * <li>{@code borrowConnectionTimeout} is in seconds, 30 by default; 0 or less means not to wait at all.
 * <li>{@code getConnection(user, password)} ignores both, and warns.
 * <li>A JTA transaction keeps its connection until the transaction ends. Its next request gets the same connection;
 *     without XA, only while the last handle is still open: see {@link AtomikosTransactions}.
 * <li>5.0 with a {@code reapTimeout} destroys a connection that is leased longer, and no longer counts it.
 * <li>A returned connection keeps its auto-commit mode.
 * <li>{@code close()} drops leased connections without closing them, and waiting requests run into their timeout. The
 *     adapter makes the return of a leased connection close it. The next request reopens the pool: flexpool refuses
 *     that request.
 * <li>The pool's threads come from one thread pool for all of Atomikos, where they end after 60 idle seconds or with
 *     the transaction service.
 * </ul>
 */
final class AtomikosAdapter implements PoolAdapter {
    private final AbstractDataSourceBean bean;
    private final Insides insides;
    private final @Nullable PoolTransactions transactions;
    private final int maxPoolSize;
    private final int minPoolSize;
    private final boolean validatesConcurrently;
    private final AtomicBoolean closed = new AtomicBoolean();

    AtomikosAdapter(AbstractDataSourceBean bean) {
        this.bean = bean;
        this.insides = new Insides(bean);
        this.transactions =
                Insides.readable() && !bean.getIgnoreJtaTransactions() ? new AtomikosTransactions(insides) : null;
        this.maxPoolSize = bean.getMaxPoolSize();
        this.minPoolSize = bean.getMinPoolSize();
        this.validatesConcurrently = bean.getConcurrentConnectionValidation();
    }

    @Override
    public String type() {
        return "Atomikos";
    }

    /** Atomikos requires it. */
    @Override
    public Optional<String> givenName() {
        return Optional.ofNullable(bean.getUniqueResourceName());
    }

    /** The state restored outside a JTA transaction. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        Set<SessionProperty> restored = EnumSet.of(SessionProperty.TRANSACTION, SessionProperty.READ_ONLY_TRANSACTION);
        if (bean.getDefaultIsolationLevel() >= 0) {
            restored.add(SessionProperty.TRANSACTION_ISOLATION);
        }
        return restored;
    }

    @Override
    public Set<Capability> capabilities() {
        return transactions == null
                ? Set.of(Capability.LIVE_RESIZE)
                : Set.of(Capability.LIVE_RESIZE, Capability.TRANSACTIONS);
    }

    @Override
    public @Nullable PoolTransactions transactions() {
        return transactions;
    }

    @Override
    public PoolSnapshot snapshot() {
        int max = bean.getMaxPoolSize();
        int min = bean.getMinPoolSize();
        int unknown = PoolSnapshot.UNKNOWN;
        List<XPooledConnection<?>> open = insides.connections();
        if (open == null) {
            return new PoolSnapshot(max, min, unknown, unknown, unknown, unknown);
        }
        int idle = (int) open.stream().filter(XPooledConnection::isAvailable).count();
        return new PoolSnapshot(max, min, open.size() - idle, idle, open.size(), unknown);
    }

    @Override
    public Set<Figure> figures() {
        return Insides.countable() ? PoolAdapter.super.figures() : Set.of(Figure.MAX, Figure.MIN_IDLE);
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return Optional.of(Duration.ofSeconds(Math.max(0, bean.getBorrowConnectionTimeout())));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "borrowConnectionTimeout";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (!insides.started()) {
            bean.setConcurrentConnectionValidation(false);
        }
        resize(base);
    }

    @Override
    public void restore() {
        if (!insides.started()) {
            bean.setConcurrentConnectionValidation(validatesConcurrently);
        }
        bean.setMaxPoolSize(maxPoolSize);
        bean.setMinPoolSize(minPoolSize);
    }

    /** Keeps the min within the max: the pool opens up to min connections, and does not start with a higher min. */
    @Override
    public void resize(int max) {
        bean.setMinPoolSize(Math.min(minPoolSize, max));
        bean.setMaxPoolSize(max);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Supported only with a driver: the handle of an XA data source does not close its physical connection.
     */
    @Override
    public @Nullable Connection connect() throws SQLException {
        return bean instanceof AtomikosNonXADataSourceBean plain && plain.getUrl() != null
                ? DriverManager.getConnection(plain.getUrl(), plain.getUser(), plain.getPassword())
                : null;
    }

    @Override
    public @Nullable Predicate<Connection> takenBack() {
        if (!Insides.reaps()) {
            return null;
        }
        if (!Insides.showsReaped()) {
            throw new UnsupportedOperationException("unsupported version of Atomikos: its fields differ");
        }
        return insides::reaped;
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot) {
        if (isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (failure.getCause() instanceof CreateConnectionException || AcquisitionFailure.refusedByDatabase(failure)) {
            return Kind.CONNECT_FAILED;
        }
        if (failure instanceof AtomikosSQLException && failure.getCause() == null) {
            return unexplained(snapshot);
        }
        return Kind.OTHER;
    }

    /** If the pool was not full, the pool abandoned the connect of an interrupted request. */
    private static Kind unexplained(PoolSnapshot snapshot) {
        if (snapshot.total() == PoolSnapshot.UNKNOWN || snapshot.total() >= snapshot.max()) {
            return Kind.EXHAUSTED;
        }
        return Thread.currentThread().isInterrupted() ? Kind.INTERRUPTED : Kind.CONNECT_FAILED;
    }

    /** AtomikosSQLException has private constructors only; its factory method also logs, like the pool. */
    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        try {
            AtomikosSQLException.throwAtomikosSQLException(message, connectFailure);
        } catch (AtomikosSQLException thrown) {
            return thrown;
        }
        throw new AssertionError("Atomikos threw no exception with the message: " + message);
    }

    /** The adapter stores the close, because the pool does not show it, and reopens on the next request. */
    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            insides.destroyOnReturn();
            bean.close();
        }
    }
}
