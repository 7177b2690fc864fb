// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.pool.PoolMode;
import io.flexpool.spring.FlexPools;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.awaitility.core.ConditionFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A web application with seven pools, listening on a port of its own. */
public final class RunningPools implements AutoCloseable {
    /** What a page must show and never run. */
    public static final String HOSTILE = "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=1</script>";

    /** What must never be shown. */
    public static final String SECRET = "s3cr3t";

    /**
     * The pools are defined here, and no object mapping is configured. Each generation ignores the other's class name.
     */
    public static final List<String> NOT_NEEDED = List.of(
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration");

    private static final AtomicBoolean DOWN = new AtomicBoolean();

    private final ConfigurableApplicationContext context;
    private final List<Connection> out = Collections.synchronizedList(new ArrayList<>());

    private RunningPools(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Lets the endpoint change modes and limits. */
    public static final String WRITABLE = "management.endpoint.flexpool.access=unrestricted";

    /** Starts it, on any free port. */
    public static RunningPools start(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "server.port=0",
                "server.address=127.0.0.1",
                "spring.main.banner-mode=off",
                "spring.jmx.enabled=false",
                "spring.autoconfigure.exclude=" + String.join(",", NOT_NEEDED),
                "spring.data.jpa.repositories.enabled=false",
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.devtools.restart.enabled=false",
                "management.endpoints.web.exposure.include=flexpool,health",
                "management.endpoint.health.show-details=always",
                "flexpool.pools.inventory.call-sites.sample-every=1",
                "flexpool.pools.inventory.statement-text=true",
                "flexpool.pools.inventory.time-in-database=true",
                "flexpool.pools.leaky.call-sites.sample-every=1",
                "flexpool.pools.leaky.leak.threshold=PT0.2S",
                "flexpool.pools.orders.call-sites.sample-every=1",
                "flexpool.pools.orders.base=2",
                "flexpool.pools.orders.ceiling=4",
                "flexpool.pools.orders.grow-on-wait.enabled=true",
                "flexpool.pools.orders.grow-on-wait.after=PT0.02S",
                "flexpool.pools.fragile.base=2",
                "flexpool.pools.fragile.ceiling=3",
                "flexpool.pools.fragile.grow-on-wait.enabled=true",
                "flexpool.pools.fragile.circuit-breaker.failures=2",
                "flexpool.datasources.hostile.name=" + HOSTILE));
        properties.addAll(List.of(more));
        return new RunningPools(new SpringApplicationBuilder(Pools.class)
                .properties(properties.toArray(String[]::new))
                .run());
    }

    /** The pools, all on H2 in memory, apart from the one whose database cannot be reached. */
    @EnableAutoConfiguration
    static class Pools {
        private static HikariDataSource pool(String database, int max) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:" + database);
            config.setUsername("sa");
            config.setPassword(SECRET);
            config.setMaximumPoolSize(max);
            config.setMinimumIdle(max);
            config.setConnectionTimeout(600);
            return new HikariDataSource(config);
        }

        /** Bound: from 2 to 4. */
        @Bean
        HikariDataSource orders() {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl("jdbc:h2:mem:orders");
            config.setUsername("sa");
            config.setPassword(SECRET);
            config.setMaximumPoolSize(2);
            config.setConnectionTimeout(600);
            HikariDataSource unstarted = new HikariDataSource();
            config.copyStateTo(unstarted);
            return unstarted;
        }

        /** Only watched. */
        @Bean
        HikariDataSource inventory() {
            return pool("inventory", 5);
        }

        /** Named like the page. */
        @Bean
        HikariDataSource ui() {
            HikariDataSource ui = pool("ui", 60);
            ui.setMinimumIdle(2);
            return ui;
        }

        /** A lease is a leak suspect after 200 ms. */
        @Bean
        HikariDataSource leaky() {
            return pool("leaky", 2);
        }

        @Bean
        HikariDataSource hostile() {
            return pool("hostile", 2);
        }

        /** Its driver's messages reveal too much. */
        @Bean
        HikariDataSource broken() {
            return failing(() -> {
                throw new SQLException(
                        "cannot reach jdbc:postgresql://db/x?user=app&password=" + SECRET + " " + HOSTILE, "08001");
            });
        }

        /** Its database can be switched off; two failures open its circuit for a second. */
        @Bean
        HikariDataSource fragile() {
            return failing(() -> {
                if (DOWN.get()) {
                    throw new SQLException("cannot reach the database.", "08001");
                }
                return DriverManager.getConnection("jdbc:h2:mem:fragile");
            });
        }

        private interface Connecting {
            Connection connect() throws SQLException;
        }

        private static HikariDataSource failing(Connecting database) {
            HikariDataSource pool = new HikariDataSource();
            pool.setDataSource(new AbstractDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    return database.connect();
                }

                @Override
                public Connection getConnection(String username, String password) throws SQLException {
                    return getConnection();
                }
            });
            pool.setMaximumPoolSize(2);
            // Idle connections would still serve requests while the database is down.
            pool.setMinimumIdle(0);
            pool.setConnectionTimeout(300);
            pool.setInitializationFailTimeout(-1);
            return pool;
        }
    }

    /** The endpoint's own address. */
    public URI endpoint() {
        return URI.create(
                "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/flexpool");
    }

    /** The wrapped pool of a name. */
    public FlexPoolDataSource pool(String name) {
        return Objects.requireNonNull(context.getBean(FlexPools.class).byName().get(name), name);
    }

    /** Switches the database of {@code fragile} off and closes its connections, or switches it on again. */
    public void down(boolean down) throws SQLException {
        DOWN.set(down);
        // Null until the first acquisition.
        HikariPoolMXBean started =
                pool("fragile").unwrap(HikariDataSource.class).getHikariPoolMXBean();
        if (down && started != null) {
            started.softEvictConnections();
        }
    }

    /** Requests connections until the pool serves again. */
    public void untilServed(String pool) {
        eventually("serves again")
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> {
                    try (Connection connection = pool(pool).getConnection()) {
                        return connection != null;
                    }
                });
    }

    private static ConditionFactory eventually(String what) {
        // On the calling thread: whether a request is nested in a held connection depends on it.
        return await(what)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofMinutes(3));
    }

    /** Acquires connections and holds them. On a busy machine a connect may take longer than the pool waits. */
    public void hold(String pool, int connections) throws SQLException {
        DataSource source = pool(pool);
        int late = 0;
        for (int taken = 0; taken < connections; ) {
            try {
                out.add(source.getConnection());
                taken++;
            } catch (SQLException noConnection) {
                late++;
                if (late > 100) {
                    throw noConnection;
                }
            }
        }
    }

    /** A thread of this name acquires a connection, runs a statement, and then holds the connection. */
    public void holdAs(String thread, String pool, String statement) throws InterruptedException {
        List<SQLException> thrown = new ArrayList<>();
        Thread holder = new Thread(
                () -> {
                    try {
                        Connection connection = pool(pool).getConnection();
                        out.add(connection);
                        try (Statement run = connection.createStatement()) {
                            run.execute(statement);
                        }
                    } catch (SQLException failed) {
                        thrown.add(failed);
                    }
                },
                thread);
        holder.start();
        holder.join();
        assertThat(thrown).isEmpty();
    }

    /** Requests connections from an exhausted pool until it has explained a failure. */
    public void untilExplained(String pool) {
        FlexPoolDataSource asked = pool(pool);
        Explanation before = asked.diagnosis().lastExplanation();
        eventually("has explained a failure").until(() -> {
            assertThatThrownBy(asked::getConnection).isInstanceOf(SQLException.class);
            return !Objects.equals(asked.diagnosis().lastExplanation(), before);
        });
    }

    /** Thirty users with leases of 20 ms: with two connections each waits for a third of a second. */
    public Load load(String pool) {
        return new Load(pool(pool), 30, Duration.ofMillis(20));
    }

    /** Waits for the sizing controller to raise the limit. */
    public Decision untilGrown(String pool) {
        int before = pool(pool).diagnosis().decisions().size();
        return untilDecided(pool, before, made -> made.outcome() == Decision.Outcome.DONE && made.to() > made.from());
    }

    /** Waits for the outcome of a step. */
    public Decision untilJudged(String pool, Decision step) {
        return untilDecided(
                pool, 0, made -> made.number() == step.number() && made.verdict() != Decision.Verdict.PENDING);
    }

    private Decision untilDecided(String pool, int from, Predicate<Decision> wanted) {
        return eventually("has decided")
                .until(
                        () -> pool(pool).diagnosis().decisions().stream()
                                .skip(from)
                                .filter(wanted)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Returns all held connections and restores limits and modes. */
    public void calm() {
        DOWN.set(false);
        giveBack();
        context.getBean(FlexPools.class).byName().values().forEach(pool -> pool.mode(PoolMode.RECOMMEND));
        FlexPoolDataSource orders = pool("orders");
        orders.limits(2, 2);
        orders.limits(2, 4);
    }

    /** Returns all held connections. */
    public void giveBack() {
        List<Connection> all = List.copyOf(out);
        out.clear();
        for (Connection one : all) {
            try {
                one.close();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    @Override
    public void close() {
        giveBack();
        context.close();
    }
}
