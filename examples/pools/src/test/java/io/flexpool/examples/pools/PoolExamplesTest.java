// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mariadb.jdbc.MariaDbPoolDataSource;
import org.postgresql.ds.PGPoolingDataSource;

/** The examples of docs/reference/pools.md work, each with the adapter of its pool, and that one declares what the document says. */
class PoolExamplesTest {
    private static final String URL = "jdbc:h2:mem:orders";

    /**
     * One that runs on H2.
     *
     * @param pool the title in the document, which is the adapter's type
     * @param type the pool's data source
     * @param wrapped makes it
     */
    record Example(String pool, Class<? extends DataSource> type, Wrapping wrapped) {
        @Override
        public String toString() {
            return pool;
        }
    }

    /** The method of an example. */
    interface Wrapping {
        FlexPoolDataSource of(String url) throws SQLException;
    }

    static Stream<Example> examples() {
        return Stream.of(
                new Example("HikariCP", com.zaxxer.hikari.HikariDataSource.class, HikariExample::wrapped),
                new Example("c3p0", com.mchange.v2.c3p0.ComboPooledDataSource.class, C3p0Example::wrapped),
                new Example("Tomcat JDBC", org.apache.tomcat.jdbc.pool.DataSource.class, TomcatExample::wrapped),
                new Example("Druid", com.alibaba.druid.pool.DruidDataSource.class, DruidExample::wrapped),
                new Example("Commons DBCP 2", org.apache.commons.dbcp2.BasicDataSource.class, Dbcp2Example::wrapped),
                new Example("Agroal", io.agroal.api.AgroalDataSource.class, AgroalExample::wrapped),
                new Example("Vibur", org.vibur.dbcp.ViburDBCPDataSource.class, ViburExample::wrapped),
                new Example("Oracle UCP", oracle.ucp.jdbc.PoolDataSource.class, UcpExample::wrapped),
                new Example("Atomikos", com.atomikos.jdbc.AtomikosNonXADataSourceBean.class, AtomikosExample::wrapped),
                new Example("BoneCP", com.jolbox.bonecp.BoneCPDataSource.class, BoneCpExample::wrapped),
                new Example("Proxool", org.logicalcobwebs.proxool.ProxoolDataSource.class, ProxoolExample::wrapped),
                new Example("Commons DBCP 1.4", org.apache.commons.dbcp.BasicDataSource.class, DbcpExample::wrapped),
                new Example("H2 JdbcConnectionPool", org.h2.jdbcx.JdbcConnectionPool.class, H2PoolExample::wrapped),
                new Example(
                        "MyBatis",
                        org.apache.ibatis.datasource.pooled.PooledDataSource.class,
                        MyBatisExample::wrapped));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void theExampleWorksWithTheAdapterOfItsPool(Example example) throws Exception {
        try (FlexPoolDataSource orders = example.wrapped().of(URL)) {
            isOf(example.pool(), orders, orders.unwrap(example.type()));
            grows(orders);
            borrowsAndGivesBack(orders);
        }
    }

    /** On a real one, where this machine can run it. */
    @Test
    @SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool; users of it are who this is for
    void theExampleOfPostgresWorks() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresServer server = PostgresServer.start();
                FlexPoolDataSource orders =
                        PgPoolingExample.wrapped(server.jdbcUrl(), server.user(), server.password())) {
            isOf("PGPoolingDataSource", orders, orders.unwrap(PGPoolingDataSource.class));
            borrowsAndGivesBack(orders);
        }
    }

    /** Without a MariaDB there is at least the outage, reported as such. */
    @Test
    void theMariaDbExampleReportsTheOutage() throws Exception {
        try (FlexPoolDataSource orders = MariaDbExample.wrapped("jdbc:mariadb://127.0.0.1:1/orders")) {
            isOf("MariaDbPoolDataSource", orders, orders.unwrap(MariaDbPoolDataSource.class));
            assertThatThrownBy(orders::getConnection).isInstanceOf(SQLException.class);
            assertThat(orders.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.CONNECT_FAILURE)
                            .count())
                    .isOne();
        }
    }

    @Test
    void anUnknownDataSourceWorksToo() throws Exception {
        DataSource unknown = new StubDatabase().dataSource();
        try (FlexPoolDataSource orders = AnyOtherExample.wrapped(unknown)) {
            assertThat(adapters(unknown)).isEmpty();
            assertThat(Document.capabilities("any other")).isEmpty();
            borrowsAndGivesBack(orders);
        }
    }

    private static void isOf(String pool, FlexPoolDataSource orders, DataSource raw) throws Exception {
        assertThat(orders.type()).isEqualTo(pool);
        assertThat(orders.state().base()).isEqualTo(5);
        assertThat(orders.state().ceiling()).isEqualTo(25);
        assertThat(adapters(raw)).singleElement().satisfies(adapter -> {
            assertThat(adapter.getClass().getName()).startsWith("io.flexpool.adapter." + Document.module(pool) + ".");
            assertThat(adapter.capabilities()).isEqualTo(Document.capabilities(pool));
        });
    }

    private static List<PoolAdapter> adapters(DataSource raw) {
        return ServiceLoader.load(PoolAdapterProvider.class).stream()
                .flatMap(provider -> provider.get().adapt(raw).stream())
                .toList();
    }

    /** One more than the base at the same time: the last is served by growth alone. */
    private static void grows(FlexPoolDataSource orders) throws SQLException {
        List<Connection> held = new ArrayList<>();
        try {
            for (int at = 0; at <= orders.state().base(); at++) {
                held.add(orders.getConnection());
            }
            assertThat(orders.statistics().total().counter(PoolMetric.GROWTHS)).isOne();
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    private static void borrowsAndGivesBack(FlexPoolDataSource orders) throws SQLException {
        try (Connection connection = orders.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
            assertThat(orders.state().leased()).isOne();
        }
        assertThat(orders.state().leased()).isZero();
        orders.close();
        assertThatThrownBy(orders::getConnection).isInstanceOf(SQLException.class);
    }
}
