// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;
import java.sql.Connection;
import java.sql.SQLException;

/** The example of docs/how-to/find-holders.md: which code holds connections, and for how long. */
public final class OpenConnections {
    private OpenConnections() {}

    /**
     * Runs the example, in about a second.
     *
     * @param args ignored
     * @throws SQLException if H2 gives no connection
     * @throws InterruptedException if interrupted
     */
    public static void main(String[] args) throws SQLException, InterruptedException {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setJdbcUrl("jdbc:h2:mem:holders");
        try (FlexPoolDataSource orders = FlexPool.wrap(hikari)
                        .name("orders")
                        .set("call-sites.sample-every", 1)
                        .build();
                Connection export = export(orders)) {
            Thread.sleep(500);
            for (OpenLease lease : orders.openLeases()) {
                System.out.println(lease.callSite() + " in " + lease.thread() + ", "
                        + lease.age().toMillis() + " ms");
            }
            export.createStatement().execute("select 1");
        }
    }

    private static Connection export(FlexPoolDataSource orders) throws SQLException {
        return orders.getConnection();
    }
}
