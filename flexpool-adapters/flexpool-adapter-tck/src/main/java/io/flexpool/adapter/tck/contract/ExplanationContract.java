// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.adapter.tck.faults.FaultDatabase;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A failed request gets the right reason: more demand than connections, a slow database, an application that holds
 * connections without using them, leaks and nested acquisitions, a killed database, and a database without free
 * connections. On a real PostgreSQL, with a watched pool of two connections. A pool's test declares how to create the
 * pool, and inherits all tests.
 */
@Isolated
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ExplanationContract {
    private static final int MAX = 2;
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration SHORT = Duration.ofMillis(2);
    private static final Duration LONG = Duration.ofMillis(100);
    /**
     * Delays each message. A statement then takes twice this time: more than the acquisition timeout, less than the
     * driver's.
     */
    private static final Duration DELAY = Duration.ofMillis(300);

    private static final Duration SETTLED = Duration.ofMinutes(2);
    /** More leases than the comparison needs. */
    private static final int WARM = 25;

    private static final int CONNECTS = 10;
    private static final Duration EXPLAINED_EACH = Duration.ofSeconds(1);
    private static final int CROWDS = 5;
    /** A fifth of the timeout, so that three times the usual age is less than the wait of a request. */
    private static final Duration USUAL = Duration.ofMillis(100);

    /** The time limit for a past without a lease during a stall of the machine. */
    private static final Duration PASTS = Duration.ofMinutes(4);

    private PostgresServer server;
    private FaultDatabase database;
    private TcpProxy proxy;

    /** Called by a pool's test. */
    @SuppressWarnings("NullAway.Init") // by begin()
    protected ExplanationContract() {}

    /**
     * Creates a pool that has not connected yet.
     *
     * @param driver the database for the pool's connections
     * @param max its max size; the pool has no idle connections before their first use
     * @param timeout its acquisition timeout
     * @return the pool
     */
    protected abstract DataSource pool(DataSource driver, int max, Duration timeout);

    @BeforeAll
    void begin() {
        try {
            server = PostgresServer.start(Map.of("max_connections", "12"));
        } catch (IllegalStateException e) {
            Optional<String> reason = PostgresServer.unavailable();
            assumeTrue(reason.isEmpty(), () -> reason.orElse(""));
            throw e;
        }
        database = FaultDatabase.postgres(server);
        proxy = TcpProxy.to(server.port());
    }

    @AfterAll
    void end() {
        if (server != null) {
            proxy.close();
            server.close();
        }
    }

    /** Waits for the end of the previous pool's sessions, which the server would still count. */
    @BeforeEach
    void waitForNoSession() throws InterruptedException {
        proxy.pass();
        assertThat(Crowd.eventually(SETTLED, () -> call(database.sessions()) == 0))
                .as("no session is left")
                .isTrue();
    }

    private static <T> T call(Callable<T> asked) {
        try {
            return asked.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private FlexPoolDataSource wrap(int port, boolean timed) {
        return PlainPools.wrap(pool(database.dataSourceTo().apply(port), MAX, TIMEOUT))
                .name("orders")
                .set("call-sites.sample-every", 1)
                .set("time-in-database", timed)
                .build();
    }

    /** Creates the past of a pool that has worked for a while, with all its connections open. */
    private static void live(FlexPoolDataSource pool, OrderService shop, Duration inDatabase)
            throws SQLException, InterruptedException {
        open(pool, 2, CONNECTS);
        live(shop, inDatabase);
    }

    /** Opens connections. Retries, because on a busy machine a connect may take longer than a request's timeout. */
    private static void open(FlexPoolDataSource pool, int connections, int tries)
            throws SQLException, InterruptedException {
        try (Connection one = pool.getConnection();
                Connection other = connections == 1 ? one : pool.getConnection()) {
            other.setReadOnly(one.isReadOnly());
        } catch (SQLException notYet) {
            if (tries == 1) {
                throw notYet;
            }
            // A failure here may use up the one explanation per second, which the test needs later.
            Crowd.within(EXPLAINED_EACH, () -> false);
            open(pool, connections, tries - 1);
        }
    }

    /**
     * Creates a pool with a past of short leases only. If the machine stalled during one of them, long leases count as
     * usual, and the test could not find a longer one: then tries again with a new pool.
     */
    private FlexPoolDataSource withAPast(int port, boolean timed) throws SQLException, InterruptedException {
        for (long begun = System.nanoTime(); ; ) {
            boolean last = System.nanoTime() - begun > PASTS.toNanos();
            FlexPoolDataSource pool = wrap(port, timed);
            try (OrderService shop = new OrderService(pool)) {
                live(pool, shop, SHORT);
            } catch (SQLException ofAServerThatStoodStill) {
                pool.close();
                if (last) {
                    throw ofAServerThatStoodStill;
                }
                continue;
            }
            if (last || pool.statistics().total().leases().maxNanos() < USUAL.toNanos()) {
                return pool;
            }
            pool.close();
        }
    }

    private static void live(OrderService shop, Duration inDatabase) throws SQLException {
        for (int at = 0; at < WARM; at++) {
            shop.place(inDatabase);
        }
    }

    /** The explanation of failed acquisitions, which an exception, an event and the pool must share. */
    private static Explanation explained(FlexPoolDataSource pool, List<SQLException> thrown) {
        Explanation explanation = Objects.requireNonNull(pool.diagnosis().lastExplanation());
        assertThat(thrown)
                .anySatisfy(each -> assertThat(ContractPart.reports(each)).contains(explanation.text()))
                .allSatisfy(each -> assertThat(ContractPart.reports(each)).containsIgnoringCase("report "));
        assertThat(pool.diagnosis().recentEvents())
                .extracting(PoolEvent.Recent::event)
                .anySatisfy(event -> assertThat(event.describe()).contains(explanation.text()));
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isZero();
        return explanation;
    }

    /** A request that is repeated until it fails. */
    private interface Asking {
        void ask() throws SQLException;
    }

    private static SQLException refused(Asking asking) {
        try {
            asking.ask();
        } catch (SQLException thrown) {
            return thrown;
        }
        throw new AssertionError("there was a connection");
    }

    private static Explanation whyNone(FlexPoolDataSource pool) {
        return explained(pool, List.of(refused(() -> pool.getConnection().close())));
    }

    /** flexpool connects with the pool's credentials without reading them. */
    @Test
    void aConnectionPastThePoolIsOfTheSameUserAndDatabase() throws Exception {
        DataSource raw = pool(database.dataSourceTo().apply(proxy.port()), MAX, TIMEOUT);
        try (FlexPoolDataSource pool = PlainPools.wrap(raw).build();
                Connection leased = pool.getConnection()) {
            PoolAdapter adapter = ServiceLoader.load(PoolAdapterProvider.class).stream()
                    .flatMap(provider -> provider.get().adapt(raw).stream())
                    .findFirst()
                    .orElseThrow();
            try (Connection past = Objects.requireNonNull(adapter.connect())) {
                assertThat(login(past)).isEqualTo(login(leased));
                // Some pools open further connections meanwhile.
                assertThat(Crowd.eventually(SETTLED, () -> adapter.snapshot().total() == call(database.sessions()) - 1))
                        .isTrue();
            }
        }
    }

    private static String login(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_user || '@' || current_database()")) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void moreCustomersThanConnectionsAreDemand() throws Exception {
        try (FlexPoolDataSource pool = wrap(proxy.port(), false);
                OrderService shop = new OrderService(pool)) {
            live(pool, shop, LONG);
            Explanation explanation;
            int crowds = 0;
            do {
                shop.customers(40, LONG).done();
                assertThat(shop.failures()).isNotEmpty();
                explanation = explained(pool, shop.failures());
                assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.DEMAND);
                // Repeats, because all connections may just be passing from one customer to the next.
            } while (explanation.text().contains("the holders of the connections are unknown") && ++crowds < CROWDS);
            assertThat(explanation.text()).contains(", usually ").contains("OrderService.place(OrderService.java:");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDatabaseThatAnswersLateIsSlow(boolean timed) throws Exception {
        try (FlexPoolDataSource pool = withAPast(proxy.port(), timed);
                OrderService shop = new OrderService(pool)) {
            shop.reporting(MAX).holding(MAX);
            proxy.delay(DELAY);
            Explanation explanation = whyNone(pool);
            proxy.pass();
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.SLOW_DATABASE);
            assertThat(explanation.text())
                    .contains("OrderService.report(OrderService.java:")
                    .contains("  in the database")
                    .contains(
                            timed
                                    ? "% of their time in the database"
                                    : "2 of the 2 oldest holders run a statement (seen in their stack traces)");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connectionsThatAreHeldForNothingAreHeldIdle(boolean timed) throws Exception {
        try (FlexPoolDataSource pool = withAPast(proxy.port(), timed);
                OrderService shop = new OrderService(pool)) {
            shop.charging(MAX).holding(MAX);
            Explanation explanation = whyNone(pool);
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.HELD_IDLE);
            assertThat(explanation.text())
                    .contains("OrderService.charge(OrderService.java:")
                    .contains("work of the sampled threads: 2 waiting for another thread")
                    .contains("  without a statement: waiting for another thread (OrderService.java:")
                    .contains("  in payment-");
            assertThat(explanation.holders())
                    .extracting(Explanation.Holder::otherWork)
                    .containsOnly(OtherWork.OTHER_THREAD);
        }
    }

    @Test
    void connectionsWhoseThreadsHaveEndedAreLeaks() throws Exception {
        try (FlexPoolDataSource pool = withAPast(proxy.port(), false);
                OrderService shop = new OrderService(pool)) {
            shop.forgetting(MAX).holding(MAX).done();
            Explanation explanation = whyNone(pool);
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.LEAK);
            assertThat(explanation.text())
                    .contains("OrderService.importAll(OrderService.java:")
                    .contains("its thread has ended");
        }
    }

    @Test
    void holdersThatWaitForAnotherAreNested() throws Exception {
        try (FlexPoolDataSource pool = withAPast(proxy.port(), false);
                OrderService shop = new OrderService(pool)) {
            shop.transferring(MAX).done();
            assertThat(shop.failures()).isNotEmpty();
            Explanation explanation = explained(pool, shop.failures());
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.NESTED);
            assertThat(explanation.text()).contains("OrderService.transfer(OrderService.java:");
        }
    }

    @Test
    void aDatabaseThatWasKilledCannotBeReached() throws Exception {
        try (FlexPoolDataSource pool = wrap(server.port(), false);
                OrderService shop = new OrderService(pool)) {
            live(pool, shop, SHORT);
            server.stop();
            try {
                SQLException thrown = refused(() -> {
                    while (true) {
                        askAndUse(pool);
                    }
                });
                Explanation explanation = explained(pool, List.of(thrown));
                assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.CONNECT_FAILURE);
                assertThat(explanation.text())
                        .containsPattern(
                                "the server (cannot be reached|is shutting down or starting) \\(SQLState (08|57P)")
                        .doesNotContain("out of connections");
            } finally {
                server.startAgain();
            }
        }
    }

    /**
     * Requests a connection and uses it. A pool may lend broken connections: then the use fails, not the acquisition.
     */
    private static void askAndUse(DataSource pool) throws SQLException {
        Connection connection = pool.getConnection();
        try (connection;
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        } catch (SQLException broken) {
            // The pool then drops the broken connection.
        }
    }

    @Test
    void aServerWithoutConnectionsLeftSaysSo() throws Exception {
        List<Connection> others = new ArrayList<>();
        try (FlexPoolDataSource pool = wrap(server.port(), false);
                OrderService shop = new OrderService(pool)) {
            // Opens only one connection, so that the pool must connect again.
            open(pool, 1, CONNECTS);
            live(shop, SHORT);
            shop.charging(1).holding(1);
            SQLException full = refused(() -> {
                while (true) {
                    others.add(server.dataSource().getConnection());
                }
            });
            assertThat(full.getSQLState()).isEqualTo("53300");
            Explanation explanation = whyNone(pool);
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.CONNECT_FAILURE);
            assertThat(explanation.text())
                    .contains("the server allows no more connections (SQLState 53300)")
                    .contains("make the pools of all clients smaller");
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }
}
