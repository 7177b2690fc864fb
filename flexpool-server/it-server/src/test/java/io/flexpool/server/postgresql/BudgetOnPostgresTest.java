// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import io.flexpool.server.SessionBudget.Fit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** How a pool's ceiling fits into the sessions of a real server, which other clients use too. */
@Timeout(300)
class BudgetOnPostgresTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int USABLE = 50 - 3 - 2;

    private static PostgresServer server;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(
                Map.of("max_connections", "50", "superuser_reserved_connections", "3", "reserved_connections", "2"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static PGSimpleDataSource source(String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {server.port()});
        source.setDatabaseName(server.user());
        source.setUser(server.user());
        source.setPassword(server.password());
        source.setApplicationName(application);
        return source;
    }

    private static FlexPoolDataSource pool(String name, Map<String, String> properties) {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(source(name));
        hikari.setMaximumPoolSize(2);
        hikari.setConnectionTimeout(5_000);
        Map<String, String> all = new HashMap<>(properties);
        all.put("flexpool.base", "2");
        return FlexPool.wrap(hikari).name(name).properties(all).build();
    }

    private static int sessions(Connection observer, String application) throws SQLException {
        try (PreparedStatement count =
                observer.prepareStatement("select count(*) from pg_stat_activity where application_name = ?")) {
            count.setString(1, application);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    @Test
    void theCeilingIsComparedWithWhatTheServerHasAndNoSessionIsKept() throws Exception {
        try (Connection observer = source("observer").getConnection();
                FlexPoolDataSource pool = pool("shop", Map.of("flexpool.server-view", "always"))) {
            pool.getConnection().close();
            // The first query of a busy server may have had no answer.
            await().atMost(PATIENCE)
                    .until(() -> pool.view(SessionBudget.class)
                            .filter(budget -> budget.usable() != ServerSnapshot.UNKNOWN)
                            .isPresent());
            SessionBudget budget = pool.view(SessionBudget.class).orElseThrow();
            assertThat(budget.usable()).isEqualTo(USABLE);
            assertThat(budget.server().reserved()).isEqualTo(5);
            assertThat(budget.ceiling()).isEqualTo(2);
            // The pool's, and the one that looked.
            assertThat(budget.sessions()).isBetween(2, 3);
            assertThat(budget.byApplication()).containsEntry("observer", 1);
            assertThat(budget.left()).isEqualTo(USABLE - 1);
            assertThat(budget.room()).isEqualTo((USABLE - 1) / 2);
            assertThat(budget.fit()).isEqualTo(Fit.MORE);
            assertThat(pool.report())
                    .contains(
                            "Server: shop: ceiling 2 x 1 instance = 2 connections: they fit, and one more instance fits; sessions: 45 usable");
            await().atMost(PATIENCE).until(() -> sessions(observer, "shop") <= 2);
        }
    }

    @Test
    void aFleetReadsItsNumberAndLeavesOtherClientsTheirs() throws Exception {
        Map<String, String> fleet = Map.of(
                "flexpool.fleet", "local",
                "flexpool.fleet.name", "budget-on-postgres",
                "flexpool.fleet.max", "auto",
                "flexpool.fleet.instances-max", "2");
        try (Connection observer = source("observer").getConnection();
                Connection another = source("another").getConnection();
                FlexPoolDataSource pool = pool("fleet", fleet)) {
            assertThat(observer.isClosed() || another.isClosed()).isFalse();
            pool.getConnection().close();
            int cap = (USABLE - 2) * 9 / 10;
            await().atMost(PATIENCE)
                    .until(() -> pool.view(FleetStatus.class).orElseThrow().cap() == cap);
            await().atMost(PATIENCE)
                    .until(() -> pool.view(FleetStatus.class).orElseThrow().granted() >= 2);
            assertThat(pool.view(FleetStatus.class).orElseThrow().trouble()).isNull();
        }
    }
}
