// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.result.ResultIterable;
import org.jdbi.v3.core.result.ResultIterator;
import org.jdbi.v3.core.statement.Query;
import org.junit.jupiter.api.Test;

/**
 * Jdbi's results that are read after their handle was closed, as its own tests do: over flexpool the application
 * receives the exceptions of the bare pool.
 */
class JdbiTest {
    private static final String ROWS = "select x from (values (1), (2), (3)) as v (x)";

    private static DataSource h2() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:");
        return h2;
    }

    private interface Late {
        void read(Jdbi jdbi);
    }

    private static ResultIterable<Integer> rows(Handle handle, boolean attached) {
        Query query = handle.createQuery(ROWS);
        return (attached ? query.attachToHandleForCleanup() : query).mapTo(Integer.class);
    }

    private static final List<Late> LATE = List.of(
            jdbi -> drain(jdbi.withHandle(handle -> rows(handle, true).iterator())),
            jdbi -> drain(jdbi.withHandle(handle -> rows(handle, false).iterator())),
            jdbi -> {
                try (ResultIterator<Integer> rows =
                        jdbi.inTransaction(handle -> rows(handle, true).iterator())) {
                    drain(rows);
                }
            },
            jdbi -> {
                try (Stream<Integer> rows = jdbi.withHandle(handle -> rows(handle, true).stream())) {
                    rows.forEach(row -> {});
                }
            },
            jdbi -> {
                Iterator<Integer> begun = jdbi.withHandle(handle -> {
                    Iterator<Integer> rows = rows(handle, true).iterator();
                    rows.next();
                    return rows;
                });
                drain(begun);
            });

    private static void drain(Iterator<Integer> rows) {
        while (rows.hasNext()) {
            rows.next();
        }
    }

    /** The classes of an exception and its causes, with their SQLStates. */
    private static List<String> thrown(DataSource pool) {
        List<String> all = new ArrayList<>();
        for (Late late : LATE) {
            try {
                late.read(Jdbi.create(pool));
                all.add("works");
            } catch (RuntimeException e) {
                StringBuilder chain = new StringBuilder();
                for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                    chain.append(cause.getClass().getName()).append(' ');
                    if (cause instanceof SQLException database) {
                        chain.append(database.getSQLState()).append(' ');
                    }
                }
                all.add(chain.toString());
            }
        }
        return all;
    }

    private static void assertThrownAsByTheBarePool(DataSource database, String byTheDriver) throws SQLException {
        try (HikariDataSource bare = new HikariDataSource();
                HikariDataSource raw = new HikariDataSource();
                FlexPoolDataSource pool = FlexPool.wrap(raw).name("jdbi").build()) {
            bare.setDataSource(database);
            raw.setDataSource(database);
            List<String> expected = thrown(bare);
            assertThat(expected.get(0)).contains(byTheDriver);
            assertThat(thrown(pool)).isEqualTo(expected);
        }
    }

    @Test
    void lateResultsThrowWhatTheyThrowOnTheBarePoolOverH2() throws SQLException {
        assertThrownAsByTheBarePool(h2(), "org.h2.jdbc.JdbcSQLNonTransientException 90007");
    }

    @Test
    void lateResultsThrowWhatTheyThrowOnTheBarePoolOverPostgres() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresServer server = PostgresServer.start()) {
            assertThrownAsByTheBarePool(server.dataSource(), "org.postgresql.util.PSQLException 55000");
        }
    }
}
