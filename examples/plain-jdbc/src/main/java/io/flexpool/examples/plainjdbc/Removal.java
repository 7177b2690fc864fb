// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;

/** The example of docs/how-to/remove.md: a pool without limits, with flexpool off, and without flexpool. */
public final class Removal {
    private Removal() {}

    /**
     * Runs the example, in about a second.
     *
     * @param args ignored
     * @throws SQLException if H2 gives no connection
     */
    public static void main(String[] args) throws SQLException {
        lease("mode", "monitor");
        lease("enabled", "false");
        try (HikariDataSource orders = pool()) {
            orders.getConnection().close(); // without flexpool
        }
    }

    private static void lease(String key, String value) throws SQLException {
        HikariDataSource hikari = pool();
        try (FlexPoolDataSource orders = FlexPool.wrap(hikari)
                .name("orders")
                .set("ceiling", 8)
                .set("grow-on-wait.enabled", true)
                .set(key, value)
                .build()) {
            orders.getConnection().close();
        }
    }

    private static HikariDataSource pool() {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:remove");
        hikari.setMaximumPoolSize(2);
        return hikari;
    }
}
