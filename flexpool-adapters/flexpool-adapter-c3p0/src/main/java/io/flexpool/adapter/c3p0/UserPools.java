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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the existing pools of a c3p0 data source, one per user. The data source's public getters create the manager of
 * the pools. The getters for the default user also create that user's pool, with minPoolSize connections (from the
 * sources of 0.12.0 and 0.14.1, and from tests). So the manager is read from its field, which is null until a manager
 * exists.
 *
 * <p>Each figure takes a lock of c3p0, the manager's or a pool's, which acquisitions take too. c3p0 never connects
 * under a pool's lock. Under the manager's lock it connects only with {@code automaticTestTable}, when it creates a
 * pool. Thread-safe.
 */
final class UserPools {
    private static final VarHandle MANAGER;
    private static final VarHandle CLOSED;
    private static final VarHandle RESOURCES;
    /** The field with c3p0's orphans: most are connections that broke or were evicted during a lease. */
    private static final @Nullable VarHandle ORPHANS = orphans();

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

    /** The longest wait of the request in {@code ask}; c3p0 retries for longer before it reports a failed connect. */
    private static final int ASK_FOR_MILLIS = 1_000;

    /** The time after which an orphan without a handle counts as lost. */
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final AbstractPoolBackedDataSource dataSource;
    /** The orphans without a handle, with the time of their first sighting. Immutable: each change replaces the map. */
    private volatile Map<Object, Long> lostSince = Map.of();
    /** Whether a wake currently waits in c3p0, like a request. */
    private volatile boolean asking;

    private static @Nullable VarHandle orphans() {
        try {
            Class<?> type = Class.forName(
                    "com.mchange.v2.resourcepool.BasicResourcePool", false, ResourcePool.class.getClassLoader());
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                    .findVarHandle(type, "excluded", HashSet.class);
        } catch (ReflectiveOperationException | RuntimeException otherVersion) {
            return null;
        }
    }

    UserPools(AbstractPoolBackedDataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * The figures of one user's pool, or the sum of several.
     *
     * @param taken the connections that are leased or being returned
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
     * The number of tasks of the helper threads: an upper bound for the connections being returned. These count as
     * taken until a helper has processed them, which takes time under load.
     */
    int tasks() {
        C3P0PooledConnectionPoolManager manager = manager();
        if (manager == null) {
            return 0;
        }
        try {
            int tasks = manager.getThreadPoolNumTasksPending() + manager.getThreadPoolNumActiveThreads();
            // A user's own pool may report -1, and so may a closed one.
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
        Map<Object, Long> lost = new HashMap<>();
        for (C3P0PooledConnectionPool pool : pools()) {
            int out = pool.getNumBusyConnections() + orphans(pool, false, lost);
            all = all.plus(new Figures(out, pool.getNumIdleConnections(), pool.getNumThreadsAwaitingCheckout()));
        }
        lostSince = lost;
        return asking && all.waiting() > 0 ? new Figures(all.taken(), all.idle(), all.waiting() - 1) : all;
    }

    /**
     * The number of connections that broke or were evicted during a lease. c3p0 no longer counts them, but they stay
     * leased and open until their close.
     *
     * <p>c3p0's own number of orphans gets too high for ever (seen under load), for two reasons. A connection evicted
     * between its close and its processing by a helper thread is destroyed, but stays in the set. A connection evicted
     * while a request takes it out is replaced by another, and stays in the set, open. Neither has a handle. So only
     * orphans with a handle count; the others are returned, which makes c3p0 drop and close them.
     */
    private int orphans(C3P0PooledConnectionPool pool, boolean closing, Map<Object, Long> lost) throws SQLException {
        ResourcePool resources = (ResourcePool) RESOURCES.getVolatile(pool);
        int unclosed = pool.getNumUnclosedOrphanedConnections();
        if (ORPHANS == null || resources == null || unclosed == 0) {
            return unclosed;
        }
        List<Object> all;
        // This lock guards the set; c3p0's own count takes it too.
        synchronized (resources) {
            all = List.copyOf((Set<?>) ORPHANS.get(resources));
        }
        int leased = 0;
        for (Object orphan : all) {
            if (PooledConnections.hasHandle(orphan)) {
                leased++;
            } else if (closing || PooledConnections.destroyed(orphan) || lostForLong(orphan, lost)) {
                giveBack(orphan, resources);
            }
        }
        return leased;
    }

    /**
     * Whether an orphan has had no handle for long. For a moment a leased orphan has no handle either, until its
     * request has created the handle.
     */
    private boolean lostForLong(Object orphan, Map<Object, Long> lost) {
        long now = System.nanoTime();
        long since = lostSince.getOrDefault(orphan, now);
        lost.put(orphan, since);
        return now - since > LOST_NANOS;
    }

    private static void giveBack(Object orphan, ResourcePool resources) {
        try {
            resources.checkinResource(orphan);
        } catch (ResourcePoolException closedMeanwhile) {
            // A closed pool closes the connections that it drops.
            return;
        }
    }

    /** Closes lost orphans. Call before c3p0's close, which leaves orphans open. */
    void closeLost() {
        try {
            for (C3P0PooledConnectionPool pool : pools()) {
                orphans(pool, true, new HashMap<>());
            }
        } catch (SQLException unreadable) {
            return;
        }
    }

    /**
     * Requests and returns a connection in each pool that is not full, but has waiting requests: only the next request
     * makes c3p0 open connections for the waiting ones. The pools' own {@code checkoutPooledConnection} makes the same
     * two calls for an unusable connection, but it may wait for ever.
     */
    void ask(int max) throws SQLException, InterruptedException {
        for (C3P0PooledConnectionPool pool : pools()) {
            ResourcePool resources = (ResourcePool) RESOURCES.getVolatile(pool);
            // A closed pool has no resources.
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
            // The connect failed, and c3p0 notifies the waiting requests.
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

    /**
     * Reads the field without a lock. c3p0 writes it under the data source's lock, and holds the lock while it creates
     * a manager.
     */
    private @Nullable C3P0PooledConnectionPoolManager manager() {
        return (C3P0PooledConnectionPoolManager) MANAGER.getVolatile(dataSource);
    }
}
