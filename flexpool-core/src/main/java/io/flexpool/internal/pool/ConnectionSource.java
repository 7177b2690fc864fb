// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The calls that get a connection from the pool. Thread-safe. */
final class ConnectionSource {
    private final PoolContext context;
    final DataSource target;
    /** The request that {@code getConnection()} makes. */
    final ConnectionRequest plain;

    ConnectionSource(PoolContext context) {
        this.context = context;
        this.target = context.config().target();
        // With flexpool's timeout if it differs from the pool's and can be passed with each call.
        this.plain = context.config().ownTimeout()
                ? pool ->
                        context.mode().limiting() ? openWithin(context.config().timeoutNanos()) : pool.getConnection()
                : DataSource::getConnection;
    }

    Connection open(ConnectionRequest request) throws SQLException {
        // No call after the pool's call: a StackOverflowError there would lose the connection.
        Connection connection = request.open(target);
        if (connection == null) {
            throw gaveNull();
        }
        return connection;
    }

    /** Opens a connection within a time if the pool supports it; otherwise within the pool's timeout. */
    Connection openWithin(ConnectionRequest request, long nanos) throws SQLException {
        return open(request == plain && context.config().perCallTimeout() ? pool -> openWithin(nanos) : request);
    }

    private Connection openWithin(long nanos) throws SQLException {
        return context.adapter().connection(nanos);
    }

    SQLException gaveNull() {
        return new SQLException(context.name() + ": the pool returned null instead of a connection");
    }
}
