// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.fleet;

import io.flexpool.benchmarks.stub.UnusedDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.DelegatingConnection;
import org.redisson.Redisson;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * Connections that each have a permit of a semaphore in Redis, as careful users build it: a permit expires unless its member
 * renews it, is given back when the connection is closed, and a connection whose permit has expired is closed. While Redis does
 * not answer nothing is opened and nothing is closed. Thread-safe.
 */
final class PermitsDataSource extends UnusedDataSource implements AutoCloseable {
    private static final long LEASE_SECONDS = 10;
    private static final long RENEW_SECONDS = 3;
    private static final long PATIENCE_MILLIS = 500;
    private static final int ANSWERS_WITHIN_MILLIS = 1_000;

    private final DataSource driver;
    private final RedissonClient redisson;
    private final RPermitExpirableSemaphore permits;
    private final Map<String, Connection> held = new ConcurrentHashMap<>();
    private final Thread renewals = new Thread(this::keepRenewed, "permits");

    PermitsDataSource(DataSource driver, String uri, int most) {
        this.driver = driver;
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.setThreads(2);
        config.setNettyThreads(2);
        config.useSingleServer()
                .setAddress(uri)
                .setConnectionPoolSize(4)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setTimeout(ANSWERS_WITHIN_MILLIS)
                .setRetryAttempts(1);
        this.redisson = Redisson.create(config);
        this.permits = redisson.getPermitExpirableSemaphore("connections");
        permits.trySetPermits(most);
        renewals.setDaemon(true);
        renewals.start();
    }

    @Override
    public Connection getConnection() throws SQLException {
        String permit = acquire();
        try {
            Connection connection = driver.getConnection();
            held.put(permit, connection);
            return new Permitted(connection, permit);
        } catch (SQLException | RuntimeException failure) {
            release(permit);
            throw failure;
        }
    }

    private String acquire() throws SQLException {
        String permit = null;
        try {
            permit = permits.tryAcquire(
                    PATIENCE_MILLIS, TimeUnit.SECONDS.toMillis(LEASE_SECONDS), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException notReached) {
            throw new SQLTransientConnectionException("Redis cannot be asked", notReached);
        }
        if (permit == null) {
            throw new SQLTransientConnectionException("no permit is free");
        }
        return permit;
    }

    private void release(String permit) {
        try {
            permits.tryRelease(permit);
        } catch (RuntimeException notReached) {
            // It expires.
            held.remove(permit);
        }
    }

    /** A connection that gives its permit back when it ends. */
    private final class Permitted extends DelegatingConnection<Connection> {
        private final String permit;

        Permitted(Connection connection, String permit) {
            super(connection);
            this.permit = permit;
        }

        @Override
        public void close() throws SQLException {
            try {
                super.close();
            } finally {
                giveBack();
            }
        }

        @Override
        public void abort(Executor executor) throws SQLException {
            try {
                super.abort(executor);
            } finally {
                giveBack();
            }
        }

        private void giveBack() {
            if (held.remove(permit) != null) {
                release(permit);
            }
        }
    }

    private void keepRenewed() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                TimeUnit.SECONDS.sleep(RENEW_SECONDS);
            } catch (InterruptedException closed) {
                return;
            }
            renew();
        }
    }

    private void renew() {
        held.forEach((permit, connection) -> {
            try {
                if (!permits.updateLeaseTime(permit, LEASE_SECONDS, TimeUnit.SECONDS)) {
                    held.remove(permit);
                    connection.close();
                }
            } catch (SQLException | RuntimeException notReached) {
                // Tried again when the next renewal is due.
                Thread.onSpinWait();
            }
        });
    }

    @Override
    public void close() {
        renewals.interrupt();
        redisson.shutdown();
    }
}
