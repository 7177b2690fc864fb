// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.agroal.api.AgroalDataSource;
import io.agroal.pool.ConnectionFactory;
import io.agroal.pool.ConnectionPool;
import io.agroal.pool.util.PriorityScheduledExecutor;
import io.agroal.pool.wrapper.ConnectionWrapper;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads facts that Agroal's public interface lacks: the number of open connections without metrics, the close of the
 * pool, the removal of a leased connection, and the connection factory. Supports only Agroal's own data source and
 * pool. Needs accessible fields: on the module path {@code io.agroal.pool} must be opened. Thread-safe, takes no lock.
 */
final class Insides {
    private final ConnectionPool pool;
    private final PriorityScheduledExecutor executor;
    private final ConnectionFactory factory;
    /** All connections, leased and idle. */
    private final Collection<?> all;

    private Insides(
            ConnectionPool pool, PriorityScheduledExecutor executor, ConnectionFactory factory, Collection<?> all) {
        this.pool = pool;
        this.executor = executor;
        this.factory = factory;
        this.all = all;
    }

    /** Empty if the pool's fields are not accessible. */
    static Optional<Insides> of(AgroalDataSource dataSource) {
        try {
            return field(dataSource, "connectionPool") instanceof ConnectionPool pool
                            && field(pool, "housekeepingExecutor") instanceof PriorityScheduledExecutor executor
                            && field(pool, "connectionFactory") instanceof ConnectionFactory factory
                            && field(pool, "allConnections") instanceof Collection<?> all
                    ? Optional.of(new Insides(pool, executor, factory, all))
                    : Optional.empty();
        } catch (ReflectiveOperationException | LinkageError others) {
            return Optional.empty();
        }
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Class<?> type = of.getClass().getDeclaredField(name).getType();
        VarHandle field = MethodHandles.privateLookupIn(of.getClass(), MethodHandles.lookup())
                .findVarHandle(of.getClass(), name, type);
        return field.get(of);
    }

    /** The number of open connections, also without metrics. */
    int total() {
        // Agroal derives idle connections from active ones, so the sum is right even if active is wrong.
        return (int) Math.max(0, pool.availableCount() + pool.activeCount());
    }

    /** Whether the pool has removed a leased connection. */
    boolean removed(Connection handle) {
        return handle instanceof ConnectionWrapper wrapper && !all.contains(wrapper.getHandler());
    }

    /**
     * Whether a handle has been returned: then another handle may have its connection. {@code isClosed()} is also true
     * if only the driver has closed the connection.
     */
    static boolean isReturned(ConnectionWrapper handle) throws SQLException {
        try {
            return field(handle, "wrappedConnection") != field(handle.getHandler(), "connection");
        } catch (ReflectiveOperationException | LinkageError others) {
            return handle.isClosed();
        }
    }

    int waiting() {
        return (int) pool.awaitingCount();
    }

    /** Opens a connection outside the pool. A second factory would lack the properties that the first one consumed. */
    Connection connect() throws SQLException {
        return factory.createConnection().getConnection();
    }

    /** Waits until the removed connections are closed: one thread closes them in order, after urgent tasks. */
    void awaitClosed(long mostNanos) {
        try {
            executor.submit(() -> {}).get(mostNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | CancellationException notSoon) {
            // Gives up waiting: the connections are closed a little later.
            return;
        }
    }

    /** Runs a task after the flushes that were requested before; never if the pool is closed. */
    void afterFlush(Runnable task) {
        executor.execute(task);
    }

    boolean closed() {
        return executor.isShutdown();
    }
}
