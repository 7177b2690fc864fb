// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;
import org.postgresql.PGConnection;

/**
 * Looks at a PostgreSQL server, 12 or newer, through PostgreSQL's own driver. Needs no rights; what other roles' sessions
 * do is visible only to a member of {@code pg_read_all_stats}, and the snapshot says so. Every role can see which session
 * blocks which.
 */
public final class PostgresServerViewProvider implements ServerViewProvider {
    static final String PRODUCT = "PostgreSQL";

    /** For {@link java.util.ServiceLoader}. */
    public PostgresServerViewProvider() {}

    @Override
    public String product() {
        return PRODUCT;
    }

    @Override
    public boolean supports(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class);
    }

    /**
     * The server gave it when the connection was made, and the driver keeps it in a field. PgBouncer gives a random number of
     * its own, half of them negative: it is returned as it is, because only a look shows that the server does not know it.
     */
    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        if (!supports(connection)) {
            return OptionalLong.empty();
        }
        int process = connection.unwrap(PGConnection.class).getBackendPID();
        return process == 0 ? OptionalLong.empty() : OptionalLong.of(process);
    }

    @Override
    public ServerSnapshot look(Connection own, Set<Long> sessions, Duration deadline) throws SQLException {
        return new PostgresLook(own, sessions).within(deadline);
    }
}
