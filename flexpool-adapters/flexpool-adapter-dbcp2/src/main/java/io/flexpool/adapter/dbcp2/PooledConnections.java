// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import java.util.Map;
import org.apache.commons.dbcp2.AbandonedTrace;
import org.apache.commons.dbcp2.DelegatingConnection;
import org.apache.commons.dbcp2.PoolableConnection;
import org.apache.commons.pool2.ObjectPool;
import org.apache.commons.pool2.impl.BaseGenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.jspecify.annotations.Nullable;

/**
 * The pool's connections behind DBCP's handles, read from private fields (checked in the byte code of DBCP 2.13.0 and
 * 2.14.0, and of Pool 2.11.1 to 2.13.1). A pool removes a connection also from its map of all connections.
 *
 * @param delegate the pool's connection behind a handle; DBCP's public method returns it only to entitled applications
 * @param owner the pool of a connection; after a restart of the data source, its former pool
 * @param all all connections of a pool, leased and idle
 * @param key the key of a connection in that map
 * @param clearTrace forgets the open statements of a connection
 */
record PooledConnections(
        MethodHandle delegate, VarHandle owner, VarHandle all, MethodHandle key, MethodHandle clearTrace) {
    /** Null for a version of DBCP or Pool with other fields. */
    static final @Nullable PooledConnections READABLE = readable();

    private static @Nullable PooledConnections readable() {
        try {
            MethodHandles.Lookup own = MethodHandles.lookup();
            MethodHandles.Lookup pools = MethodHandles.privateLookupIn(GenericObjectPool.class, own);
            Class<?> key = Class.forName(
                    BaseGenericObjectPool.class.getName() + "$IdentityWrapper",
                    false,
                    BaseGenericObjectPool.class.getClassLoader());
            return new PooledConnections(
                    MethodHandles.privateLookupIn(DelegatingConnection.class, own)
                            .findVirtual(
                                    DelegatingConnection.class,
                                    "getDelegateInternal",
                                    MethodType.methodType(Connection.class)),
                    MethodHandles.privateLookupIn(PoolableConnection.class, own)
                            .findVarHandle(PoolableConnection.class, "pool", ObjectPool.class),
                    // The map's type differs between versions.
                    pools.unreflectVarHandle(GenericObjectPool.class.getDeclaredField("allObjects")),
                    pools.findConstructor(key, MethodType.methodType(void.class, Object.class))
                            .asType(MethodType.methodType(Object.class, Object.class)),
                    MethodHandles.privateLookupIn(AbandonedTrace.class, own)
                            .findVirtual(AbandonedTrace.class, "clearTrace", MethodType.methodType(void.class)));
        } catch (ReflectiveOperationException | RuntimeException otherVersion) {
            return null;
        }
    }

    /** Whether the pool has removed the connection of a handle. */
    boolean removed(Connection handle) {
        if (!(handle instanceof DelegatingConnection<?> outer)) {
            return false;
        }
        try {
            return (Connection) delegate.invoke(outer) instanceof PoolableConnection pooled
                    && owner.get(pooled) instanceof GenericObjectPool<?> pool
                    && !((Map<?, ?>) all.get(pool)).containsKey((Object) key.invoke((Object) pooled));
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable notThrown) {
            throw new IllegalStateException(notThrown);
        }
    }

    void forgetStatements(PoolableConnection connection) {
        try {
            clearTrace.invokeExact((AbandonedTrace) connection);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable notThrown) {
            throw new IllegalStateException(notThrown);
        }
    }
}
