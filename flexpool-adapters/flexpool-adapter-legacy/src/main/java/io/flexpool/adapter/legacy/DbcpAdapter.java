// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.commons.dbcp.AbandonedObjectPool;
import org.apache.commons.dbcp.BasicDataSource;
import org.apache.commons.dbcp.ConnectionFactory;
import org.apache.commons.dbcp.DelegatingConnection;
import org.apache.commons.dbcp.PoolableConnection;
import org.apache.commons.dbcp.SQLNestedException;
import org.apache.commons.pool.impl.GenericObjectPool;
import org.jspecify.annotations.Nullable;

/**
 * Watches Commons DBCP 1.4. Observed behaviour (from the sources of 1.4 and Commons Pool 1.5.4, and from tests):
 *
 * <ul>
 * <li>The setters of a {@link BasicDataSource} affect only a pool that has not started.
 * <li>All its getters take its lock, which the first request holds during its connect. So the adapter stores the sizes,
 *     and reads the figures from the object pool, whose lock is never held for long.
 * <li>{@code maxWait} -1, the default, and 0 wait for ever.
 * <li>A timeout is an {@link SQLNestedException} caused by {@link NoSuchElementException}, but so is a failed
 *     validation of a new connection. So the figures decide.
 * <li>It is older than JDBC 4.1: {@code abort} throws an {@link AbstractMethodError}, and the connection returns to the
 *     pool unchanged.
 * <li>With {@code removeAbandoned}, a request that finds at most two free places and one idle connection closes
 *     connections unused for {@code removeAbandonedTimeout}. The pool marks them as closed, and never lends them again.
 * <li>Connections beyond {@code maxIdle} (8) are closed on return.
 * </ul>
 */
final class DbcpAdapter implements PoolAdapter {
    /**
     * The pool; null before its start. Read from the field, because every getter takes the lock that is held during the
     * start.
     */
    private static final @Nullable Field POOL = field(BasicDataSource.class, "connectionPool");
    /** Creates the connection factory of the pool. */
    private static final @Nullable Method CONNECTION_FACTORY = method(BasicDataSource.class, "createConnectionFactory");
    /** Closes abandoned connections without a request, which would wait in a full pool. */
    private static final @Nullable Method REMOVE_ABANDONED = method(AbandonedObjectPool.class, "removeAbandoned");
    /** The pool's connection behind a handle, which the public method returns only to entitled applications. */
    private static final @Nullable Field DELEGATE = field(DelegatingConnection.class, "_conn");
    /** The flag of a closed pooled connection, because the method would call the driver. */
    private static final @Nullable Field CLOSED = field(DelegatingConnection.class, "_closed");

    private final BasicDataSource dataSource;
    private final int maxActive;
    private final int minIdle;
    private final long maxWait;
    private volatile int max;
    private volatile boolean closed;

    DbcpAdapter(BasicDataSource dataSource) {
        this.dataSource = dataSource;
        this.maxActive = dataSource.getMaxActive();
        this.minIdle = dataSource.getMinIdle();
        this.maxWait = dataSource.getMaxWait();
        this.max = maxActive;
    }

    private static @Nullable Field field(Class<?> type, String name) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException | RuntimeException notToBeRead) {
            return null;
        }
    }

    private static @Nullable Method method(Class<?> type, String name) {
        try {
            Method method = type.getDeclaredMethod(name);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException | RuntimeException notToBeCalled) {
            return null;
        }
    }

    private @Nullable GenericObjectPool pool() throws IllegalAccessException {
        return POOL == null ? null : (GenericObjectPool) POOL.get(dataSource);
    }

    @Override
    public String type() {
        return "Commons DBCP 1.4";
    }

    /** Includes no read-only transaction, because the pool does not roll back on a read-only connection. */
    @Override
    public Set<SessionProperty> restoredOnReturn() {
        return dataSource.getDefaultTransactionIsolation() < 0
                ? Set.of(SessionProperty.TRANSACTION)
                : Set.of(SessionProperty.TRANSACTION, SessionProperty.TRANSACTION_ISOLATION);
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public PoolSnapshot snapshot() {
        int most = max <= 0 ? Integer.MAX_VALUE : max;
        try {
            GenericObjectPool pool = pool();
            if (POOL != null) {
                int idle = pool == null ? 0 : pool.getNumIdle();
                int active = pool == null ? 0 : pool.getNumActive();
                return new PoolSnapshot(most, minIdle, active, idle, active + idle, PoolSnapshot.UNKNOWN);
            }
        } catch (IllegalAccessException notToBeRead) {
            // The figures are unknown.
        }
        int unknown = PoolSnapshot.UNKNOWN;
        return new PoolSnapshot(most, minIdle, unknown, unknown, unknown, unknown);
    }

    @Override
    public Set<Figure> figures() {
        return POOL == null ? Set.of(Figure.MAX, Figure.MIN_IDLE) : PoolAdapter.super.figures();
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return maxWait <= 0 ? Optional.empty() : Optional.of(Duration.ofMillis(maxWait));
    }

    @Override
    public String acquisitionTimeoutKey() {
        return "maxWait";
    }

    @Override
    public void prepare(int base, int ceiling) {
        if (maxActive <= 0 || maxActive >= ceiling) {
            return;
        }
        if (running()) {
            throw new IllegalArgumentException("the ceiling " + ceiling + " is above Commons DBCP's maxActive "
                    + maxActive + ", which cannot change once the pool has started");
        }
        dataSource.setMaxActive(ceiling);
        max = ceiling;
    }

    @Override
    public void restore() {
        if (!running()) {
            dataSource.setMaxActive(maxActive);
            max = maxActive;
        }
    }

    /** If unknown, the pool counts as started. */
    private boolean running() {
        try {
            return POOL == null || pool() != null;
        } catch (IllegalAccessException notToBeRead) {
            return true;
        }
    }

    @Override
    public void resize(int newMax) {
        // The capability is not declared, because the gate suffices.
    }

    @Override
    public Predicate<Connection> takenBack() {
        if (DELEGATE == null || CLOSED == null) {
            throw new UnsupportedOperationException("the fields of Commons DBCP cannot be read");
        }
        return DbcpAdapter::isTakenBack;
    }

    private static boolean isTakenBack(Connection handle) {
        try {
            return DELEGATE != null
                    && CLOSED != null
                    && handle instanceof DelegatingConnection
                    && DELEGATE.get(handle) instanceof PoolableConnection pooled
                    && CLOSED.getBoolean(pooled);
        } catch (IllegalAccessException notToBeRead) {
            return false;
        }
    }

    @Override
    public Optional<Duration> overdueAfter() {
        return dataSource.getRemoveAbandoned() && REMOVE_ABANDONED != null
                ? Optional.of(Duration.ofSeconds(dataSource.getRemoveAbandonedTimeout()))
                : Optional.empty();
    }

    @Override
    public void takeBackOverdue() throws SQLException {
        try {
            if (REMOVE_ABANDONED != null && pool() instanceof AbandonedObjectPool pool) {
                REMOVE_ABANDONED.invoke(pool);
            }
        } catch (InvocationTargetException thrown) {
            throw new SQLException("the pool cannot take back what is abandoned", thrown.getCause());
        } catch (IllegalAccessException notToBeCalled) {
            throw new SQLException(notToBeCalled);
        }
    }

    @Override
    public @Nullable Connection connect() throws SQLException {
        if (CONNECTION_FACTORY == null) {
            return null;
        }
        try {
            return ((ConnectionFactory) CONNECTION_FACTORY.invoke(dataSource)).createConnection();
        } catch (InvocationTargetException thrown) {
            throw new SQLException("the pool's driver cannot be made", thrown.getCause());
        } catch (IllegalAccessException notToBeCalled) {
            return null;
        }
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return AcquisitionFailure.of(kind(failure, snapshot), failure);
    }

    private Kind kind(Throwable failure, PoolSnapshot snapshot) {
        if (closed || dataSource.isClosed()) {
            return Kind.CLOSED;
        }
        if (AcquisitionFailure.interrupted(failure)) {
            return Kind.INTERRUPTED;
        }
        if (failure instanceof SQLException && failure.getCause() instanceof NoSuchElementException) {
            boolean full = snapshot.total() == PoolSnapshot.UNKNOWN || snapshot.total() >= snapshot.max();
            return full ? Kind.EXHAUSTED : Kind.CONNECT_FAILED;
        }
        return AcquisitionFailure.refusedByDatabase(failure) ? Kind.CONNECT_FAILED : Kind.OTHER;
    }

    @Override
    @SuppressWarnings("deprecation") // the class that 1.4 throws
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLNestedException(message, null)
                : new StatedTimeout(message, connectFailure);
    }

    /** Has the SQLState, which callers read: the class that 1.4 throws has no constructor for it. */
    @SuppressWarnings("deprecation")
    private static final class StatedTimeout extends SQLNestedException {
        private static final long serialVersionUID = 1L;

        StatedTimeout(String message, SQLException connectFailure) {
            super(message, connectFailure);
            setNextException(connectFailure);
        }

        @Override
        public @Nullable String getSQLState() {
            return getNextException().getSQLState();
        }

        @Override
        public int getErrorCode() {
            return getNextException().getErrorCode();
        }
    }

    @Override
    public boolean isClosed() {
        return closed || dataSource.isClosed();
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        dataSource.close();
    }
}
