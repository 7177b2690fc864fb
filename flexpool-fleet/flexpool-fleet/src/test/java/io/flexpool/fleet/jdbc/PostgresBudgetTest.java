// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Renewal;
import io.flexpool.fleet.tck.ConnectionBudgetContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PostgresBudgetTest extends ConnectionBudgetContract {
    private static final FleetRules RULES = new FleetRules(50, 1, 0);

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(Map.of());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Connection connection() throws SQLException {
        return server.superuser().getConnection();
    }

    @Override
    protected ConnectionBudget open(String name) {
        return open(name, true);
    }

    private static ConnectionBudget open(String name, boolean mayCreate) {
        return new JdbcBudgetProvider()
                .open(new Setup("postgresql", name, null, mayCreate, PostgresBudgetTest::connection));
    }

    private int run(String statement) throws SQLException {
        return run(fleet, statement);
    }

    private int run(String name, String statement) throws SQLException {
        try (Connection connection = connection();
                PreparedStatement prepared = connection.prepareStatement(statement)) {
            prepared.setString(1, name);
            return prepared.executeUpdate();
        }
    }

    @Override
    protected void age(String name, Duration by) throws SQLException {
        run(
                name,
                "update flexpool_fleet set renewals = case member_name when '' then renewals - " + by.toMillis()
                        + " else renewals end, renewed_ms = renewed_ms - " + by.toMillis() + " where fleet = ?");
    }

    @Override
    protected int putNonsense() throws SQLException {
        String now = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";
        return run("insert into flexpool_fleet select ?, name, granted, held, want, cap, reserve, sequence, renewed, ''"
                + " from (values ('negative', -30, 1, 1,"
                + " 50, 0,"
                + " 1, " + now + "), ('huge', 2000000000, 1, 1, 50, 0, 1, " + now
                + "),"
                + " ('negative held', 1, -1, 1, 50, 0, 1, " + now
                + "), ('huge want', 1, 1, 2000000000, 50, 0, 1, "
                + now + "),"
                + " ('negative cap', 1, 1, 1, -5, 0, 1, " + now + "), ('huge cap', 1, 1, 1, 2000000000, 0, 1, "
                + now
                + "),"
                + " ('largest', 1, 1, 1, 50, 0, 9223372036854775807, " + now
                + "), ('never', 1, 1, 1, 50, 0, 1, 0),"
                + " ('negative reserve', 1, 1, 1, 50, -1, 1, " + now
                + "), ('huge reserve', 1, 1, 1, 50, 50, 1, "
                + now + "),"
                + " (' ', 1, 1, 1, 50, 0, 1, " + now + "), (E'two\\nlines', 1, 1, 1, 50, 0, 1, " + now + "))"
                + " as v (name, granted, held, want, cap, reserve, sequence, renewed)");
    }

    @Override
    protected boolean restart() throws SQLException {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            // Commits that are not on the disk yet would be lost.
            statement.execute("checkpoint");
        }
        server.stop();
        server.startAgain();
        return true;
    }

    @Override
    protected void empty() throws SQLException {
        run("delete from flexpool_fleet where fleet = ?");
    }

    /** The table is where the search path finds it, so that operators are looked up there too. */
    @Test
    void noOperatorOfTheSearchPathIsCalled() throws Exception {
        Map<String, String> operators = Map.of(
                "*(numeric, int4)", "numeric",
                "||(text, numeric)", "text",
                "=(varchar, varchar)", "boolean",
                "=(text, varchar)", "boolean");
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> operator : operators.entrySet()) {
                String[] parts = operator.getKey().split("[(,)] ?", -1);
                String function = "caught(" + parts[1] + ", " + parts[2] + ")";
                statement.execute("create function " + function + " returns " + operator.getValue()
                        + " language plpgsql as 'begin raise exception ''caught''; end'");
                statement.execute("create operator public." + parts[0] + " (leftarg = " + parts[1] + ", rightarg = "
                        + parts[2] + ", function = caught)");
            }
            try (ConnectionBudget budget = open(fleet)) {
                assertThat(budget.renew(new Renewal("me", 1, 0, 1, 5, RULES)).members())
                        .isEqualTo(1);
                budget.leave("me");
            } finally {
                for (String operator : operators.keySet()) {
                    statement.execute("drop function caught" + operator.substring(operator.indexOf('(')) + " cascade");
                }
            }
        }
    }

    @Test
    void aTableThatIsMissingIsCreatedOnlyIfThatIsAllowed() throws Exception {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists flexpool_fleet");
        }
        assertThatThrownBy(() -> open(fleet, false).renew(new Renewal("me", 1, 0, 0, 5, RULES)))
                .isInstanceOf(SQLException.class)
                .extracting(thrown -> ((SQLException) thrown).getSQLState())
                .isEqualTo("42P01");
        assertThat(open(fleet, true).renew(new Renewal("me", 1, 0, 0, 5, RULES)).granted())
                .isEqualTo(1);
    }

    /** As where a server only speaks PostgreSQL's protocol. */
    @Test
    void aServerThatDoesNotSayWhichOneItIsServesAsWell() throws Exception {
        ConnectionBudget first = open(fleet, true);
        first.renew(new Renewal("first", 1, 0, 0, 5, RULES));
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("grant all on flexpool_fleet to " + server.user());
            statement.execute("revoke execute on function pg_current_wal_lsn() from public");
            try {
                ConnectionBudget restricted = new JdbcBudgetProvider()
                        .open(new Setup("postgresql", fleet, null, false, server.dataSource()::getConnection));
                for (int sequence = 1; sequence < 4; sequence++) {
                    assertThat(restricted
                                    .renew(new Renewal("me", sequence, 0, 1, 5, RULES))
                                    .members())
                            .isEqualTo(2);
                }
            } finally {
                statement.execute("grant execute on function pg_current_wal_lsn() to public");
            }
        }
    }

    @Test
    void aTableOfAnotherShapeIsAFailureAndStaysAsItIs() throws Exception {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists flexpool_fleet");
            statement.execute("create table flexpool_fleet (fleet integer)");
            try {
                assertThatThrownBy(() -> open(fleet, true).renew(new Renewal("me", 1, 0, 0, 5, RULES)))
                        .isInstanceOf(SQLException.class);
            } finally {
                statement.execute("drop table flexpool_fleet");
            }
        }
    }

    @Test
    void aMemberThatStopsInItsTransactionHoldsUpNobodyForLong() throws Exception {
        ConnectionBudget budget = open(fleet, true);
        budget.renew(new Renewal("me", 1, 0, 0, 5, RULES));
        try (Connection stopped = connection();
                Statement statement = stopped.createStatement()) {
            stopped.setAutoCommit(false);
            statement.execute(Dialect.POSTGRESQL.begin);
            statement.execute("select 1 from flexpool_fleet for update");
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 2, 0, 0, 5, RULES)))
                    .extracting(thrown -> ((SQLException) thrown).getSQLState())
                    .isEqualTo("55P03");
            // The server ends the session, whatever its client does.
            for (long sequence = 3; ; sequence++) {
                try {
                    budget.renew(new Renewal("me", sequence, 0, 0, 5, RULES));
                    return;
                } catch (SQLException locked) {
                    assertThat(sequence).isLessThan(100);
                }
            }
        } catch (SQLException endedByTheServer) {
            assertThat(endedByTheServer.getSQLState()).isIn("08003", "08006", "25P03", "57P01");
        }
    }
}
