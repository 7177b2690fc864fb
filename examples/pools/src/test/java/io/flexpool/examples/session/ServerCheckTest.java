// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.examples.session.SessionStateOnPoolsTest.Pool;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements that cannot be judged, and what a real PostgreSQL shows of them. */
@Timeout(300)
class ServerCheckTest {
    private static final String BLOCK = "do $$ begin set jit = off; perform pg_advisory_lock(5);"
            + " create temp table basket(x int); set role tenant_role; end $$";

    /** What is left of it, without the names. */
    private static final String LEFT =
            "select concat_ws(' ', current_user, current_setting('jit'), to_regclass('basket'),"
                    + " (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()))";

    @BeforeAll
    static void start() throws SQLException {
        SessionStateOnPoolsTest.start();
    }

    @AfterAll
    static void stop() {
        SessionStateOnPoolsTest.stop();
    }

    private static FlexPoolBuilder wrap(Pool pool, String action) {
        return FlexPool.wrap(pool.make("set work_mem to '2MB'"))
                .name(pool.name())
                .set("session-state", action)
                .set("session-state.server-check", true)
                .set("call-sites.sample-every", 1);
    }

    private static String run(FlexPoolDataSource pool, String... statements) throws SQLException {
        String last = "";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                if (statement.execute(sql)) {
                    try (ResultSet row = statement.getResultSet()) {
                        last = row.next() ? String.valueOf(row.getString(1)) : "";
                    }
                }
            }
        }
        return last;
    }

    private static SessionStates states(FlexPoolDataSource pool) {
        return pool.view(SessionStates.class).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatABlockLeavesIsFoundAndReset(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset").build()) {
            String before = run(wrapped, LEFT);
            run(wrapped, BLOCK);
            assertThat(states(wrapped).resets()).isEqualTo(1);
            assertThat(states(wrapped).left())
                    .extracting(LeftState::kind)
                    .containsExactlyInAnyOrder("setting", "advisory-lock", "temp-table", "role");
            assertThat(states(wrapped).left()).allSatisfy(left -> {
                assertThat(left.statement()).isEqualTo("do ?");
                assertThat(left.callSite()).contains("ServerCheckTest.run");
            });
            assertThat(run(wrapped, LEFT)).isEqualTo(before);
            run(wrapped, "do $$ begin perform 1; end $$");
            assertThat(states(wrapped).leases())
                    .as("what the pool sets is no state that a lease has left")
                    .isEqualTo(1);
        }
    }

    @Test
    void byDefaultTheServerIsNotRead() throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "reset")
                .set("session-state.server-check", false)
                .build()) {
            run(wrapped, BLOCK);
            assertThat(states(wrapped).leases()).isZero();
            assertThat(run(wrapped, "select current_user")).isEqualTo("tenant_role");
        }
    }

    /** With report it is on the session still. */
    @Test
    void whatAnEarlierLeaseHasLeftIsNotThatOfTheBlock() throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "report").build()) {
            run(wrapped, "set jit = off", "select pg_advisory_lock(5)");
            run(wrapped, BLOCK);
            assertThat(states(wrapped).left())
                    .extracting(left -> left.kind() + " " + left.statement())
                    .containsExactlyInAnyOrder(
                            "setting set jit = off",
                            "advisory-lock select pg_advisory_lock(?)",
                            "role do ?",
                            "temp-table do ?");
        }
    }

    /** The server lists no variables of applications. */
    @Test
    void aVariableIsFoundIfAStatementHasNamedIt() throws SQLException {
        String block = "do $$ begin perform set_config('app.tenant', 'acme', false); end $$";
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "reset").build()) {
            run(wrapped, block);
            assertThat(states(wrapped).leases()).isZero();
            run(wrapped, "set app.tenant = 'globex'");
            assertThat(states(wrapped).resets()).isEqualTo(1);
            run(wrapped, block);
            assertThat(states(wrapped).resets()).isEqualTo(2);
            assertThat(run(wrapped, "select coalesce(current_setting('app.tenant', true), '')"))
                    .isEmpty();
        }
    }

    @Test
    void anOpenTransactionIsRolledBackByAResetAndLeftAloneByAReport() throws SQLException {
        for (String action : new String[] {"report", "reset"}) {
            try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, action).build()) {
                try (Connection connection = wrapped.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.execute("do $$ begin set jit = off; end $$");
                }
                assertThat(states(wrapped).leases()).isZero();
                assertThat(run(wrapped, "show jit")).isEqualTo("on");
            }
        }
    }

    @Test
    void theTimeoutsOfLeaseBudgetsAreNoStateOfALease() throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "reset")
                .set("lease.max", "10m")
                .set("lease.action", "cancel")
                .build()) {
            run(wrapped, "do $$ begin perform 1; end $$");
            run(wrapped, "do $$ begin perform 1; end $$");
            assertThat(states(wrapped).leases()).isZero();
            assertThat(run(wrapped, "show idle_in_transaction_session_timeout")).isEqualTo("603s");
        }
    }
}
