// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The state that the pool itself restores when a connection is returned, on a real PostgreSQL. One borrower changes a
 * property and returns the connection, and the next borrower reads it. The adapter must name exactly the restored
 * properties: flexpool does not reset a property that the adapter names.
 */
abstract class RestoredContract extends ContractPart {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    RestoredContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void theAdapterNamesWhatThePoolRestores() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresServer server = PostgresServer.start()) {
            try (Connection connection = server.dataSource().getConnection()) {
                execute(connection, "create schema left_schema");
            }
            database.leadsTo(server.dataSource());
            int settings = pools().size();
            for (int setting = 0; setting < settings; setting++) {
                Set<SessionProperty> named = EnumSet.noneOf(SessionProperty.class);
                Set<SessionProperty> restored = EnumSet.noneOf(SessionProperty.class);
                for (SessionProperty property : SessionProperty.values()) {
                    // A new pool for each property, so that no property affects the next.
                    DataSource pool = pools().get(setting);
                    PoolAdapter adapter = contract.adapter(pool);
                    if (adapter.restoredOnReturn().contains(property)) {
                        named.add(property);
                    }
                    if (restores(pool, property)) {
                        restored.add(property);
                    }
                    adapter.close();
                }
                assertThat(named).as("named with setting %d", setting).isEqualTo(restored);
            }
        }
    }

    private List<DataSource> pools() {
        return contract.restoring(database.dataSource(), TIMEOUT);
    }

    /** Tests twice, because a pool may restore the previous borrower's value instead of the original. */
    private static boolean restores(DataSource pool, SessionProperty property) throws SQLException {
        try {
            boolean first = restoresOnce(pool, property);
            return first && restoresOnce(pool, property);
        } catch (AbstractMethodError olderThanThisMethod) {
            return false;
        }
    }

    /**
     * Whether the next borrower gets the old value in the same session. A pool that closes the connection, because its
     * reset failed, restores nothing.
     */
    private static boolean restoresOnce(DataSource pool, SessionProperty property) throws SQLException {
        Object before;
        String session;
        try (Connection connection = pool.getConnection()) {
            session = execute(connection, "select pg_backend_pid()");
            before = read(connection, property);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            leave(connection, property);
            assertThat(read(connection, property)).as("%s is set", property).isNotEqualTo(before);
            if (property.compareTo(SessionProperty.TRANSACTION) < 0 && !connection.getAutoCommit()) {
                // Commits, because a rollback would also undo the schema in PostgreSQL.
                connection.commit();
            }
        }
        try (Connection connection = pool.getConnection()) {
            return Objects.equals(read(connection, property), before)
                    && session.equals(execute(connection, "select pg_backend_pid()"));
        }
    }

    private static void leave(Connection connection, SessionProperty property) throws SQLException {
        switch (property) {
            case CATALOG -> connection.setCatalog("left");
            case SCHEMA -> connection.setSchema("left_schema");
            case CLIENT_INFO -> connection.setClientInfo("ApplicationName", "left");
            case TYPE_MAP -> connection.setTypeMap(Map.of("left", String.class));
            case HOLDABILITY -> connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            case NETWORK_TIMEOUT -> connection.setNetworkTimeout(Runnable::run, 54_321);
            case TRANSACTION_ISOLATION -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            case TRANSACTION -> begin(connection);
            case READ_ONLY_TRANSACTION -> {
                connection.setReadOnly(true);
                begin(connection);
            }
        }
    }

    private static void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        execute(connection, "select set_config('left.by', 'the borrower before', false)");
    }

    /** Reads a property; for a transaction, the setting that it has changed. */
    private static @Nullable Object read(Connection connection, SessionProperty property) throws SQLException {
        return switch (property) {
            case CATALOG -> connection.getCatalog();
            case SCHEMA -> connection.getSchema();
            case CLIENT_INFO -> connection.getClientInfo("ApplicationName");
            case TYPE_MAP -> Map.copyOf(connection.getTypeMap());
            case HOLDABILITY -> connection.getHoldability();
            case NETWORK_TIMEOUT -> connection.getNetworkTimeout();
            case TRANSACTION_ISOLATION -> connection.getTransactionIsolation();
            case TRANSACTION, READ_ONLY_TRANSACTION ->
                execute(connection, "select coalesce(current_setting('left.by', true), '')");
        };
    }

    private static String execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
