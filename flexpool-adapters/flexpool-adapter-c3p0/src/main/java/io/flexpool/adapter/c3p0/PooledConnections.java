// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.C3P0ProxyConnection;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pooled connections behind c3p0's handles (from the sources of 0.12.0 and 0.14.1). A handle references its
 * pooled connection until the handle's close. c3p0 sets the exception field of a pooled connection only
 * when it destroys the connection. Reads fields, because each method takes a lock that is held during database calls.
 */
final class PooledConnections {
    private static final String PACKAGE = "com.mchange.v2.c3p0.impl.";

    /** The field with a handle's pooled connection; null for an unknown version of c3p0. */
    private static final @Nullable VarHandle PARENT;

    private static final @Nullable VarHandle DESTROYED;
    /** The field with a pooled connection's open handle. */
    private static final @Nullable VarHandle HANDLE;

    static {
        VarHandle open = null;
        VarHandle parent = null;
        VarHandle destroyed = null;
        try {
            Class<?> pooled = type("NewPooledConnection");
            Class<?> handle = handle();
            parent = MethodHandles.privateLookupIn(handle, MethodHandles.lookup())
                    .findVarHandle(handle, "parentPooledConnection", pooled);
            destroyed = MethodHandles.privateLookupIn(pooled, MethodHandles.lookup())
                    .findVarHandle(pooled, "invalidatingException", Throwable.class);
            open = MethodHandles.privateLookupIn(pooled, MethodHandles.lookup())
                    .findVarHandle(pooled, "exposedProxy", handle);
        } catch (ReflectiveOperationException | RuntimeException otherVersion) {
            parent = null;
            destroyed = null;
            open = null;
        }
        PARENT = parent;
        DESTROYED = destroyed;
        HANDLE = open;
    }

    private PooledConnections() {}

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name, false, C3P0ProxyConnection.class.getClassLoader());
    }

    private static Class<?> handle() throws ClassNotFoundException {
        try {
            return type("AbstractNewProxyConnection");
        } catch (ClassNotFoundException olderThan014) {
            return type("NewProxyConnection");
        }
    }

    static boolean readable() {
        return PARENT != null;
    }

    /** Whether the pool has closed the connection behind a handle, or the handle was closed without flexpool. */
    static boolean takenBack(Connection handle) {
        if (PARENT == null || !PARENT.coordinateTypes().get(0).isInstance(handle)) {
            return false;
        }
        // Written under c3p0's locks, and read here without them.
        Object pooled = PARENT.getVolatile(handle);
        return pooled == null || destroyed(pooled);
    }

    /** Whether a pooled connection is leased: open, with a handle that is not closed. Also true if unreadable. */
    static boolean hasHandle(Object pooled) {
        return HANDLE == null
                || !HANDLE.coordinateTypes().get(0).isInstance(pooled)
                || (HANDLE.getVolatile(pooled) != null && !destroyed(pooled));
    }

    /** Whether the pool has closed a pooled connection; false if unreadable. */
    static boolean destroyed(Object pooled) {
        return DESTROYED != null
                && DESTROYED.coordinateTypes().get(0).isInstance(pooled)
                && DESTROYED.getVolatile(pooled) != null;
    }
}
