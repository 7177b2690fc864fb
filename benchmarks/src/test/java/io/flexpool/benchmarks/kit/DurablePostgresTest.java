// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scenario")
class DurablePostgresTest {
    @Test
    void whatIsCommittedIsOnTheDisk() throws SQLException {
        assumeTrue(PostgresServer.unavailable().isEmpty(), "no PostgreSQL here");

        try (PostgresServer server = DurablePostgres.start();
                Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet shown = statement.executeQuery("select current_setting('fsync'),"
                        + " current_setting('synchronous_commit'), current_setting('full_page_writes')")) {
            assertThat(shown.next()).isTrue();
            assertThat(shown.getString(1)).isEqualTo("on");
            assertThat(shown.getString(2)).isEqualTo("on");
            assertThat(shown.getString(3)).isEqualTo("on");
        }
    }
}
