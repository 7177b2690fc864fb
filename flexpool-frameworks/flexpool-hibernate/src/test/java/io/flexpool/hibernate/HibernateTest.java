// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.AcquisitionOutcome;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.hibernate.Version;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Session factories on a real PostgreSQL, with each of the pools that Hibernate makes; run on Hibernate 6 and 7. */
class HibernateTest {
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void nothingIsLeft() throws SQLException {
        assertThat(OpenPools.list()).isEmpty();
        // A server ends a session a moment after its client.
        long until = System.nanoTime() + 180_000_000_000L;
        while (sessions() > 0 && System.nanoTime() < until) {
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(sessions()).isZero();
    }

    private static int sessions() throws SQLException {
        try (Connection connection = server.superuser().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_stat_activity where usename = '" + server.user() + "'")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static Map<String, Object> settings(Object... more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "jakarta.persistence.jdbc.url",
                server.jdbcUrl(),
                "jakarta.persistence.jdbc.user",
                server.user(),
                "jakarta.persistence.jdbc.password",
                server.password(),
                "flexpool.base",
                "5",
                "flexpool.acquisition-timeout",
                "5s",
                "hibernate.hbm2ddl.auto",
                "create-drop",
                "hibernate.c3p0.max_size",
                "25",
                "hibernate.agroal.maxSize",
                "25"));
        for (int each = 0; each < more.length; each += 2) {
            settings.put((String) more[each], more[each + 1]);
        }
        settings.values().removeIf("absent"::equals);
        return settings;
    }

    private static EntityManagerFactory open(Object... more) {
        return Persistence.createEntityManagerFactory("orders", settings(more));
    }

    private static ConnectionProvider provider(EntityManagerFactory factory) {
        return factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(ConnectionProvider.class);
    }

    private static FlexPoolDataSource pool(EntityManagerFactory factory) {
        return provider(factory).unwrap(FlexPoolDataSource.class);
    }

    private static void place(EntityManagerFactory factory, String article) {
        EntityManager manager = factory.createEntityManager();
        try {
            manager.getTransaction().begin();
            manager.persist(new PlacedOrder(article));
            manager.getTransaction().commit();
        } finally {
            manager.close();
        }
    }

    private static long acquired(FlexPoolDataSource pool) {
        return pool.statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    @Test
    void runsOnTheVersionThatTheBuildSays() {
        assertThat(Version.getVersionString()).isEqualTo(System.getProperty("expected.hibernate"));
    }

    @ParameterizedTest
    @CsvSource({"hikari, HikariCP", "c3p0, c3p0", "agroal, Agroal"})
    void everyTransactionTakesItsConnectionFromTheWrappedPool(String name, String type) throws SQLException {
        FlexPoolDataSource pool;
        DataSource own;
        try (EntityManagerFactory factory = open("hibernate.flexpool.pool", name)) {
            pool = pool(factory);
            assertThat(pool.type()).isEqualToIgnoringCase(type);
            long before = acquired(pool);
            place(factory, "pen");
            place(factory, "paper");

            assertThat(acquired(pool) - before).isBetween(2L, 4L);
            assertThat(pool.state().leased()).isZero();
            assertThat(pool.state().limit()).isEqualTo(5);
            own = pool.unwrap(DataSource.class) == pool ? target(pool, name) : pool;
            try (Connection connection = own.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
        assertThat(pool.closed()).isTrue();
        assertThatThrownBy(own::getConnection)
                .as("Hibernate has closed the pool")
                .isInstanceOf(SQLException.class);
    }

    /** A late request got an exception that Hibernate does not translate. */
    @Test
    void thePoolDrainsWhenItsFactoryClosesIfConfiguredAndRefusesAsAClosedPoolDoes() {
        ConnectionProvider provider;
        FlexPoolDataSource pool;
        try (EntityManagerFactory factory = open("flexpool.drain.within", "50s")) {
            provider = provider(factory);
            pool = pool(factory);
        }
        assertThat(pool.diagnosis().recentEvents())
                .anySatisfy(recent -> assertThat(recent.event()).isInstanceOf(PoolEvent.LifecycleChanged.class));
        assertThatThrownBy(provider::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("has stopped it");
    }

    private static DataSource target(FlexPoolDataSource pool, String name) throws SQLException {
        return switch (name) {
            case "hikari" -> pool.unwrap(HikariDataSource.class);
            case "c3p0" -> pool.unwrap(com.mchange.v2.c3p0.PooledDataSource.class);
            default -> pool.unwrap(io.agroal.api.AgroalDataSource.class);
        };
    }

    @Test
    void thePoolHasTheNameOfItsPersistenceUnitAndTheKeysAmongHibernatesSettings() {
        try (EntityManagerFactory factory =
                open("hibernate.hikari.poolName", "absent", "flexpool.pools.orders.base", "3")) {
            assertThat(pool(factory).name()).isEqualTo("orders");
            assertThat(pool(factory).state().limit()).isEqualTo(3);
        }
        try (EntityManagerFactory factory = open("hibernate.hikari.poolName", "own")) {
            assertThat(pool(factory).name()).isEqualTo("own");
        }
    }

    @Test
    void requestsThatWaitAreRefusedInTimeAndSayWhoHasTheConnections() {
        try (EntityManagerFactory factory = open(
                "flexpool.grow-on-wait.enabled", "false",
                "flexpool.base", "2",
                "flexpool.acquisition-timeout", "50ms",
                "flexpool.call-sites.sample-every", "1")) {
            List<EntityManager> held = new ArrayList<>();
            for (int each = 0; each < 2; each++) {
                held.add(begun(factory));
            }
            assertThatThrownBy(() -> begun(factory)).rootCause().isInstanceOf(SQLException.class);
            assertThat(pool(factory).openLeases())
                    .hasSize(2)
                    .allSatisfy(lease -> assertThat(lease.callSite()).contains("HibernateTest.begun"));
            held.forEach(one -> {
                one.getTransaction().rollback();
                one.close();
            });
            assertThat(pool(factory).state().leased()).isZero();
        }
    }

    private static EntityManager begun(EntityManagerFactory factory) {
        EntityManager manager = factory.createEntityManager();
        manager.getTransaction().begin();
        manager.createNativeQuery("select 1", Integer.class).getSingleResult();
        return manager;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flexpool.bsae | 3 | flexpool.bsae = 3 | flexpool.base",
                "flexpool.base | 0 | flexpool.base = 0 | from 1 to 10000",
                "hibernate.flexpool.pool | hikarii | hibernate.flexpool.pool = hikarii: must be one of hikari, c3p0, agroal"
                        + "| the nearest is hikari",
                "hibernate.flexpool.pool | flexpool | hibernate.flexpool.pool = flexpool: must be one of | agroal",
                "hibernate.flexpool.pool | absent | hibernate.flexpool.pool = none: must be one of hikari, c3p0, agroal"
                        + "| which are on the class path",
                "hibernate.flexpool.base | 3 | hibernate.flexpool.base: unknown key | for example flexpool.base"
            })
    void aWrongKeyIsRefusedByNameAndNoPoolStaysOpen(String key, String value, String message, String more) {
        Map<String, Object> settings = settings();
        assertThatThrownBy(() -> Persistence.createEntityManagerFactory("orders", with(settings, key, value)))
                .rootCause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(more)
                .hasMessageNotContaining(server.password());
    }

    /** The unit's own property is hidden by an empty one, which Hibernate takes for none. */
    private static Map<String, Object> with(Map<String, Object> settings, String key, String value) {
        settings.put(key, value.equals("absent") ? "" : value);
        return settings;
    }

    private static EntityManagerFactory over(DataSource given, String user, String password) {
        return Persistence.createEntityManagerFactory(
                "orders",
                settings(
                        "jakarta.persistence.nonJtaDataSource", given,
                        "hibernate.flexpool.pool", "",
                        "jakarta.persistence.jdbc.user", user,
                        "jakarta.persistence.jdbc.password", password));
    }

    @Test
    void aDataSourceThatIsGivenIsWrappedAndStaysOpen() throws SQLException {
        try (HikariDataSource given = new HikariDataSource()) {
            given.setDataSource(server.dataSource());
            given.setMaximumPoolSize(2);
            given.setPoolName("given");
            try (EntityManagerFactory factory = over(given, "absent", "absent")) {
                assertThat(pool(factory).name()).isEqualTo("given");
                place(factory, "ink");
                assertThat(acquired(pool(factory))).isPositive();
            }
            assertThat(given.isClosed()).isFalse();
            given.getConnection().close();
        }
    }

    @Test
    void credentialsAreUsedWithADataSourceThatIsGiven() {
        PGSimpleDataSource anonymous = new PGSimpleDataSource();
        anonymous.setUrl(server.jdbcUrl());
        try (EntityManagerFactory factory = over(anonymous, server.user(), server.password())) {
            place(factory, "ink");
            assertThat(acquired(pool(factory))).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hikari", "c3p0", "agroal"})
    void hibernatesIsolationReachesTheConnections(String name) throws SQLException {
        try (EntityManagerFactory factory =
                open("hibernate.flexpool.pool", name, "hibernate.connection.isolation", "REPEATABLE_READ")) {
            ConnectionProvider provider = provider(factory);
            Connection connection = provider.getConnection();
            assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
            provider.closeConnection(connection);
        }
    }

    @Test
    void whatHibernateLogsOfItsConnectionsNamesThePoolAndNoPassword() {
        String url = server.jdbcUrl() + (server.jdbcUrl().contains("?") ? "&" : "?") + "password=" + server.password();
        try (EntityManagerFactory factory = open("jakarta.persistence.jdbc.url", url)) {
            assertThat(provider(factory)
                            .getDatabaseConnectionInfo(factory.unwrap(SessionFactoryImplementor.class)
                                    .getJdbcServices()
                                    .getDialect())
                            .toInfoString())
                    .contains("flexpool 'orders' (HikariCP)", "jdbc:postgresql", "Maximum pool size: 5")
                    .doesNotContain(server.password());
        }
    }

    /** The three steps of docs/reference/frameworks.md are the persistence unit of these tests. */
    @Test
    void thePageShowsTheUnitThatIsRunHere() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md"));
        try (var unit = HibernateTest.class.getResourceAsStream("/META-INF/persistence.xml")) {
            String text = new String(unit.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(text.lines().filter(line -> line.contains("<property ")).map(String::strip))
                    .hasSize(5)
                    .allSatisfy(line -> assertThat(page).contains(line));
        }
    }
}
