// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.h2.jdbcx.JdbcConnectionPool;

/** Uses a recorded pool until it is killed. */
final class RecordingProgram {
    private RecordingProgram() {}

    /** The directory is given. */
    public static void main(String[] arguments) throws SQLException {
        Map<String, String> properties =
                Map.of("flexpool.record", Path.of(arguments[0]).toString());
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:killed", "sa", "");
        try (FlexPoolDataSource pool =
                FlexPool.wrap(database).properties(properties).name("killed").build()) {
            while (true) {
                try (Connection connection = pool.getConnection()) {
                    if (connection.isClosed()) {
                        return;
                    }
                }
            }
        }
    }
}
