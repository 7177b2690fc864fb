// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource;
import com.mchange.v2.c3p0.impl.C3P0PooledConnectionPool;
import com.mchange.v2.c3p0.impl.C3P0PooledConnectionPoolManager;
import com.mchange.v2.c3p0.impl.DbAuth;
import com.mchange.v2.resourcepool.ResourcePool;
import com.mchange.v2.resourcepool.ResourcePoolException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The existing pools of a c3p0 data source, one per user. All public getters of the data source create the manager of
 * the pools, and those for the default user its pool too, with minPoolSize connections (from the sources of 0.12.0 and
 * 0.14.1, and from tests). So the manager is read from its field: null until there is one.
 *
 * <p>Each figure takes a lock of c3p0, the manager's or a pool's, that acquisitions take too. c3p0 does not connect
 * under the pools' locks; under the manager's it does only with {@code automaticTestTable}, while it creates a pool.
 * Thread-safe.
 */
final class UserPools {
    private static final VarHandle MANAGER;
    private static final VarHandle CLOSED;
    private static final VarHandle RESOURCES;

    static {
        try {
            MethodHandles.Lookup lookup =
                    MethodHandles.privateLookupIn(AbstractPoolBackedDataSource.class, MethodHandles.lookup());
            MANAGER = lookup.findVarHandle(
                    AbstractPoolBackedDataSource.class, "poolManager", C3P0PooledConnectionPoolManager.class);
            CLOSED = lookup.findVarHandle(AbstractPoolBackedDataSource.class, "is_closed", boolean.class);
            RESOURCES = MethodHandles.privateLookupIn(C3P0PooledConnectionPool.class, MethodHandles.lookup())
                    .findVarHandle(C3P0PooledConnectionPool.class, "rp", ResourcePool.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** c3p0 tries the database again before it reports that it cannot connect: no longer than a request waits. */
    private static final int ASK_FOR_MILLIS = 1_000;

    private final AbstractPoolBackedDataSource dataSource;
    /** Whether a wake waits in c3p0 now, like a request. */
    private volatile boolean asking;

    UserPools(AbstractPoolBackedDataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * The figures of one user's pool, or the sum of several.
     *
     * @param taken neither idle nor closed: leased, or being returned
     */
    record Figures(int taken, int idle, int waiting) {
        static final Figures NONE = new Figures(0, 0, 0);

        Figures plus(Figures other) {
            return new Figures(taken + other.taken, idle + other.idle, waiting + other.waiting);
        }

        int total() {
            return taken + idle;
        }
    }

    /**
     * The tasks of the helper threads, at most as many of them returned connections: these count as taken until a
     * helper has processed them, which takes time under load.
     */
    int tasks() {
        C3P0PooledConnectionPoolManager manager = manager();
        if (manager == null) {
            return 0;
        }
        try {
            int tasks = manager.getThreadPoolNumTasksPending() + manager.getThreadPoolNumActiveThreads();
            // Unknown to a pool of the user's, or to a closed one.
            return Math.max(0, tasks);
        } catch (NullPointerException closedMeanwhile) {
            return 0;
        }
    }

    boolean started() {
        return manager() != null;
    }

    boolean closed() {
        return (boolean) CLOSED.getVolatile(dataSource);
    }

    /** The sum over all users. */
    Figures figures() throws SQLException {
        Figures all = Figures.NONE;
        for (C3P0PooledConnectionPool pool : pools()) {
            // c3p0 no longer counts those that broke while leased; they are leased, and open, until they are closed.
            int out = pool.getNumBusyConnections() + pool.getNumUnclosedOrphanedConnections();
            all = all.plus(new Figures(out, pool.getNumIdleConnections(), pool.getNumThreadsAwaitingCheckout()));
        }
        return asking && all.waiting() > 0 ? new Figures(all.taken(), all.idle(), all.waiting() - 1) : all;
    }

    /**
     * Requests a connection from each pool in which a request waits though it has room, and returns it: c3p0 counts the
     * waiting requests, and opens that many, only on the next request. The pools' own {@code checkoutPooledConnection}
     * makes the same two calls when it gets a connection that it cannot use yet; but it may wait for ever.
     */
    void ask(int max) throws SQLException, InterruptedException {
        for (C3P0PooledConnectionPool pool : pools()) {
            ResourcePool resources = (ResourcePool) RESOURCES.getVolatile(pool);
            // A closed pool has none, and is skipped.
            if (resources != null && pool.getNumThreadsAwaitingCheckout() > 0 && pool.getNumConnections() < max) {
                ask(resources);
            }
        }
    }

    private void ask(ResourcePool pool) throws InterruptedException {
        asking = true;
        try {
            pool.checkinResource(pool.checkoutResource(ASK_FOR_MILLIS));
        } catch (ResourcePoolException noConnection) {
            // c3p0 notifies the waiting requests.
        } finally {
            asking = false;
        }
    }

    /** Whether one user's pool has reached its max. */
    boolean full(int max) throws SQLException {
        for (C3P0PooledConnectionPool pool : pools()) {
            if (pool.getNumConnections() >= max) {
                return true;
            }
        }
        return false;
    }

    /** The last connect failure that c3p0 remembers; it never forgets one. */
    @Nullable
    Throwable lastConnectFailure() throws SQLException {
        Throwable last = null;
        for (C3P0PooledConnectionPool pool : pools()) {
            Throwable failure = pool.getLastAcquisitionFailure();
            last = failure == null ? last : failure;
        }
        return last;
    }

    private List<C3P0PooledConnectionPool> pools() throws SQLException {
        C3P0PooledConnectionPoolManager manager = manager();
        List<C3P0PooledConnectionPool> pools = new ArrayList<>();
        if (manager == null) {
            return pools;
        }
        try {
            for (Object user : manager.getManagedAuths().toArray()) {
                pools.add(manager.getPool((DbAuth) user));
            }
            return pools;
        } catch (NullPointerException closedMeanwhile) {
            // c3p0 discards its map when it closes.
            return List.of();
        }
    }

    /** Written under the data source's lock, which is held while c3p0 creates a manager; not awaited here. */
    private @Nullable C3P0PooledConnectionPoolManager manager() {
        return (C3P0PooledConnectionPoolManager) MANAGER.getVolatile(dataSource);
    }
}
