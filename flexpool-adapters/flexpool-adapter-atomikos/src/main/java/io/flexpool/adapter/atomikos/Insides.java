// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.datasource.pool.AbstractXPooledConnection;
import com.atomikos.datasource.pool.ConnectionPool;
import com.atomikos.datasource.pool.XPooledConnection;
import com.atomikos.datasource.pool.XPooledConnectionEventListener;
import com.atomikos.jdbc.internal.AbstractDataSourceBean;
import com.atomikos.util.DynamicProxySupport;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the connections of a bean without the lock that the pool holds during connects. The bean's public figures take
 * that lock, and fail before the pool has started. Thread-safe.
 */
final class Insides {
    private static final @Nullable Field POOL = field(AbstractDataSourceBean.class, "connectionPool");
    private static final @Nullable Field CONNECTIONS = field(ConnectionPool.class, "connections");
    private static final @Nullable Field HANDLE = field(AbstractXPooledConnection.class, "currentProxy");
    /** The physical connection: a handle's own {@code isClosed} does not show that it has been destroyed. */
    private static final @Nullable Field DELEGATE = field(DynamicProxySupport.class, "delegate");

    private static final @Nullable Method DESTROY = method(XPooledConnection.class, "destroy");
    private static final @Nullable Method DESTROY_OF_5 = method(XPooledConnection.class, "destroy", boolean.class);
    private static final @Nullable Method REAP = method(ConnectionPool.class, "reapPool");

    private final AbstractDataSourceBean bean;

    Insides(AbstractDataSourceBean bean) {
        this.bean = bean;
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

    private static @Nullable Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException ofTheOtherLine) {
            return null;
        }
    }

    /** Whether the pool has started; false also if unreadable. */
    boolean started() {
        try {
            return POOL != null && POOL.get(bean) != null;
        } catch (IllegalAccessException notToBeRead) {
            return false;
        }
    }

    /**
     * The open connections. The pool may change the list at any time, and drops it when it is closed.
     *
     * @return null if unreadable; empty before the start and after the close
     */
    @Nullable
    List<XPooledConnection<?>> connections() {
        if (POOL == null || CONNECTIONS == null) {
            return null;
        }
        try {
            Object pool = POOL.get(bean);
            List<?> listed = pool == null ? null : (List<?>) CONNECTIONS.get(pool);
            List<XPooledConnection<?>> open = new ArrayList<>();
            for (Object connection : listed == null ? new Object[0] : listed.toArray()) {
                if (connection instanceof XPooledConnection<?> pooled) {
                    open.add(pooled);
                }
            }
            return open;
        } catch (IllegalAccessException notToBeRead) {
            return null;
        }
    }

    /** Whether {@link #connections()} can read the connections. */
    static boolean countable() {
        return POOL != null && CONNECTIONS != null;
    }

    /** Whether the methods below can read connections and handles. */
    static boolean readable() {
        return countable() && HANDLE != null;
    }

    /** The last handle of a connection; null without one, or if unreadable. */
    static @Nullable Object handle(XPooledConnection<?> pooled) {
        try {
            return HANDLE != null && pooled instanceof AbstractXPooledConnection<?> ? HANDLE.get(pooled) : null;
        } catch (IllegalAccessException notToBeRead) {
            return null;
        }
    }

    /** Whether the pool reclaims leased connections, as 5.0 does with a {@code reapTimeout}. */
    static boolean reaps() {
        return REAP != null;
    }

    /** Whether {@link #reaped} can detect reclaimed connections. */
    static boolean showsReaped() {
        return DELEGATE != null && readable();
    }

    /**
     * Whether the pool has destroyed a leased connection and no longer counts it. In a transaction another handle may
     * have replaced this one; then the connection is open.
     */
    boolean reaped(Connection handle) {
        List<XPooledConnection<?>> open = connections();
        if (open == null || open.stream().anyMatch(pooled -> handle(pooled) == handle)) {
            return false;
        }
        try {
            return DELEGATE != null
                    && Proxy.isProxyClass(handle.getClass())
                    && Proxy.getInvocationHandler(handle) instanceof DynamicProxySupport<?> behind
                    && DELEGATE.get(behind) instanceof Connection physical
                    && physical.isClosed();
        } catch (IllegalAccessException | SQLException unknown) {
            return false;
        }
    }

    @SuppressWarnings("unchecked") // the pool of a data source has JDBC connections
    static void listen(XPooledConnection<?> pooled, XPooledConnectionEventListener<Connection> listener) {
        ((XPooledConnection<Connection>) pooled).registerXPooledConnectionEventListener(listener);
    }

    /** Makes leased connections close on return, because a closed pool does not close them. */
    void destroyOnReturn() {
        List<XPooledConnection<?>> open = connections();
        if (open != null) {
            open.forEach(pooled -> listen(pooled, new Undertaker()));
        }
    }

    private static final class Undertaker implements XPooledConnectionEventListener<Connection> {
        /** Has no effect on a connection that is still in use. */
        @Override
        public void onXPooledConnectionTerminated(XPooledConnection<Connection> pooled) {
            try {
                if (DESTROY != null) {
                    DESTROY.invoke(pooled);
                } else if (DESTROY_OF_5 != null) {
                    DESTROY_OF_5.invoke(pooled, false);
                }
            } catch (IllegalAccessException | InvocationTargetException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
