// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import io.agroal.api.AgroalDataSource;
import io.flexpool.quarkus.FlexPools;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What an application does in a transaction. */
@ApplicationScoped
class Transfers {
    private final DataSource dataSource;
    private final FlexPools pools;

    Transfers(AgroalDataSource dataSource, FlexPools pools) {
        this.dataSource = dataSource;
        this.pools = pools;
    }

    /**
     * Sees a transaction.
     *
     * @param sessions the server's sessions of two connections that were requested
     * @param leased connections leased while both were open
     * @param afterLastClose connections leased after both were closed, before the commit
     */
    record Seen(List<Integer> sessions, int leased, int afterLastClose) {}

    @Transactional
    Seen twoRequests() throws SQLException {
        List<Integer> sessions = new ArrayList<>();
        int leased;
        try (Connection first = dataSource.getConnection();
                Connection second = dataSource.getConnection()) {
            sessions.add(session(first));
            sessions.add(session(second));
            leased = leased();
        }
        return new Seen(sessions, leased, leased());
    }

    int leased() {
        return pools.pool("default").state().leased();
    }

    static int session(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
