// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEventListener;

/** A driver's pooled connection: lends handles, reports when one is closed, and refuses to lend if dead. */
final class PooledStub implements PooledConnection {
    private final Connection physical;
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();

    PooledStub(Connection physical) {
        this.physical = physical;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (!physical.isValid(1)) {
            physical.close();
            throw new SQLException("stub: this pooled connection is broken", "08001");
        }
        AtomicBoolean over = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                PooledStub.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "close" -> {
                            if (!over.getAndSet(true)) {
                                giveBack();
                            }
                            return null;
                        }
                        case "isClosed" -> {
                            return over.get() || physical.isClosed();
                        }
                        default -> {
                            try {
                                return method.invoke(physical, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        }
                    }
                });
    }

    /** As drivers do, the state of the next user is the first one's. */
    private void giveBack() throws SQLException {
        if (physical.isValid(1)) {
            physical.setAutoCommit(true);
        }
        listeners.forEach(listener -> listener.connectionClosed(new ConnectionEvent(this)));
    }

    @Override
    public void close() throws SQLException {
        physical.close();
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public void addStatementEventListener(StatementEventListener listener) {
        // Statements are not pooled.
    }

    @Override
    public void removeStatementEventListener(StatementEventListener listener) {
        // Statements are not pooled.
    }
}
