// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;

/** Connections to a broker that end together. Not thread-safe. */
final class OpenConnections implements AutoCloseable {
    private final ConnectionFactory connections;
    private final String prefix;
    private final List<Connection> open = new ArrayList<>();

    /**
     * None yet.
     *
     * @param prefix of the clients' names
     */
    OpenConnections(ConnectionFactory connections, String prefix) {
        this.connections = connections;
        this.prefix = prefix;
    }

    /** One more, not started. */
    Connection another(String client) throws JMSException {
        Connection connection = connections.createConnection();
        open.add(connection);
        connection.setClientID(prefix + client);
        return connection;
    }

    /** Starts all. */
    void start() throws JMSException {
        for (Connection connection : open) {
            connection.start();
        }
    }

    /** Closes all, also if one of them cannot be closed. */
    @Override
    public void close() throws JMSException {
        List<JMSException> failed = new ArrayList<>();
        for (Connection connection : open) {
            try {
                connection.close();
            } catch (JMSException e) {
                failed.add(e);
            }
        }
        if (!failed.isEmpty()) {
            JMSException first = failed.remove(0);
            failed.forEach(first::addSuppressed);
            throw first;
        }
    }
}
