// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** A custom pool, known to flexpool only as a data source that can be closed. */
public final class PlainPool extends MinimalDataSource implements AutoCloseable {
    private final DataSource database;
    private final Duration timeout;
    private final Semaphore places;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    PlainPool(DataSource database, int max, Duration timeout) {
        this.database = database;
        this.timeout = timeout;
        this.places = new Semaphore(max, true);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (closed) {
            throw new SQLException("plain: closed");
        }
        takePlace();
        try {
            return handle(physical());
        } catch (Throwable failed) {
            places.release();
            throw failed;
        }
    }

    private void takePlace() throws SQLException {
        try {
            if (timeout.isZero()) {
                places.acquire();
            } else if (!places.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new SQLTransientConnectionException("plain: nothing free within " + timeout);
            }
        } catch (InterruptedException e) {
            throw new SQLException("plain: interrupted", e);
        }
    }

    private Connection physical() throws SQLException {
        for (Connection kept; (kept = idle.poll()) != null; ) {
            if (kept.isValid(1)) {
                return kept;
            }
            kept.close();
        }
        return database.getConnection();
    }

    private Connection handle(Connection physical) {
        AtomicBoolean ended = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                PlainPool.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                    if (method.getName().equals("close")) {
                        if (ended.compareAndSet(false, true)) {
                            takeBack(physical);
                        }
                        return null;
                    }
                    try {
                        return method.invoke(physical, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private void takeBack(Connection physical) throws SQLException {
        try {
            if (closed || !physical.isValid(1)) {
                physical.close();
            } else {
                physical.setAutoCommit(true);
                idle.push(physical);
            }
        } finally {
            places.release();
        }
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        for (Connection kept; (kept = idle.poll()) != null; ) {
            kept.close();
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("plain: knows no users");
    }
}
