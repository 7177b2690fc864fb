// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.jdbc.LeasedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The reasons of ended leases are kept for the life of the JVM: a part that gives another text each time must not fill the heap. */
class EndReasonsTest {
    /** In a JVM of its own, because the reasons of one are for all its pools. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws SQLException {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setURL("jdbc:h2:mem:reasons");
            try (FlexPoolDataSource pool = FlexPool.wrap(h2).name("orders").build()) {
                for (int lease = 1; lease <= 300; lease++) {
                    String reason = "reason " + (lease == 200 ? 7 : lease);
                    Connection connection = pool.getConnection();
                    ((LeasedConnection) connection).end(reason, target -> {});
                    try {
                        connection.createStatement();
                    } catch (SQLException late) {
                        System.out.println(lease + " " + late.getMessage());
                    }
                }
            }
        }
    }

    @Test
    void aHundredReasonsAreKept() throws Exception {
        List<String> lines = OwnJvm.run(Program.class, List.of());
        assertThat(lines).contains("1 Connection is closed: reason 1", "99 Connection is closed: reason 99");
        assertThat(lines)
                .contains(
                        "100 Connection is closed: flexpool ended its lease",
                        "200 Connection is closed: reason 7",
                        "300 Connection is closed: flexpool ended its lease");
    }
}
