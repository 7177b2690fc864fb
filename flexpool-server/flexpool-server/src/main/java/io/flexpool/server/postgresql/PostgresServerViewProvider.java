// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Queries a PostgreSQL server, 12 or newer, through PostgreSQL's own driver. Needs no rights; the activity of other
 * roles' sessions is visible only to a member of {@code pg_read_all_stats}, and the snapshot reports this. Every role
 * can see which session blocks which.
 */
public final class PostgresServerViewProvider implements ServerViewProvider {
    static final String PRODUCT = "PostgreSQL";

    /**
     * The form of a unique application name. It ends in {@code #} and hexadecimal digits, set by the pool's init SQL,
     * or in the client's address and port, set by PgBouncer's {@code application_name_add_host}.
     */
    private static final Pattern OF_ONE_CONNECTION = Pattern.compile(".*(#[0-9a-f]{8,}| - \\S+:\\d+)");

    /** Called by {@link java.util.ServiceLoader}. */
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
     * Reads a field: the server sends the id at connect, and the driver keeps it. PgBouncer assigns a random number,
     * often negative. This method returns that number too, because only a query shows that the server has no such
     * session.
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
        return PostgresQuery.byId(own, sessions).within(deadline);
    }

    /**
     * Reads a field: the server reports the application name, PgBouncer forwards the report, and the driver keeps it.
     */
    @Override
    public Optional<String> name(Connection connection) throws SQLException {
        if (!supports(connection)) {
            return Optional.empty();
        }
        return Optional.ofNullable(connection.unwrap(PGConnection.class).getParameterStatus("application_name"))
                .filter(name -> OF_ONE_CONNECTION.matcher(name).matches());
    }

    /** Reads a field that the driver sets at the end of each statement. */
    @Override
    public Optional<Boolean> inTransaction(Connection connection) throws SQLException {
        return connection.isWrapperFor(BaseConnection.class)
                ? Optional.of(connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE)
                : Optional.empty();
    }

    @Override
    public ServerSnapshot lookByName(Connection own, Set<String> names, Duration deadline) throws SQLException {
        return PostgresQuery.byName(own, names).within(deadline);
    }
}
