// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.advice.PoolHistory;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Nothing that flexpool shows or logs has the pool's password, whether it looks at the server with it or is refused. The
 * password is in the URL too, which is easily passed on as it is.
 */
@Tag("scenario")
@Timeout(300)
class NoPasswordTest {
    /** The driver and the pool may log it. */
    private static final List<String> OTHERS = List.of("org.postgresql", "com.zaxxer");

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Map<Logger, Level> levels = new HashMap<>();
    private final List<Appender<ILoggingEvent>> others = new ArrayList<>();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (OTHERS.stream().noneMatch(event.getLoggerName()::startsWith)) {
                seen.add(event.getFormattedMessage());
                seen.add(Arrays.toString(event.getArgumentArray()) + event.getMDCPropertyMap());
                if (event.getThrowableProxy() instanceof ThrowableProxy thrown) {
                    see(thrown.getThrowable());
                }
            }
        }
    };

    /** At every level, whatever the configuration has for single loggers, and instead of all other appenders. */
    private void listen() {
        root.iteratorForAppenders().forEachRemaining(others::add);
        others.forEach(root::detachAppender);
        for (Logger each : root.getLoggerContext().getLoggerList()) {
            if (each.getLevel() != null) {
                levels.put(each, each.getLevel());
                each.setLevel(Level.TRACE);
            }
        }
        log.start();
        root.addAppender(log);
        LoggerFactory.getLogger("io.flexpool").trace("at every level");
    }

    @AfterEach
    void listenNoMore() {
        root.detachAppender(log);
        levels.forEach(Logger::setLevel);
        others.forEach(root::addAppender);
    }

    /** With its causes, and what it has suppressed. */
    private String see(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        seen.add(text.toString());
        return text.toString();
    }

    private void see(FlexPoolDataSource pool, Http http) throws Exception {
        seen.add(pool.report());
        seen.add(pool + " " + pool.state() + pool.openLeases()
                + pool.diagnosis().callSites() + pool.diagnosis().lastExplanation()
                + pool.diagnosis().recentEvents() + pool.diagnosis().decisions()
                + pool.diagnosis().refusedGrowths()
                + pool.diagnosis().housekeeping().describe()
                + pool.view(PoolHistory.class).orElseThrow().intervals(Duration.ZERO));
        for (String path :
                List.of("flexpool", "flexpool/orders", "flexpool/orders?history=0", "health", "prometheus")) {
            seen.add(http.get("/actuator/" + path).body());
        }
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName bean = new ObjectName("flexpool:type=Pool,name=orders");
        for (MBeanAttributeInfo attribute : beans.getMBeanInfo(bean).getAttributes()) {
            seen.add(attribute.getName() + " " + beans.getAttribute(bean, attribute.getName()));
        }
        seen.add(String.valueOf(beans.invoke(bean, "report", null, null)));
    }

    /** Requests that fail, until the explanation of one has some words. */
    private void explained(FlexPoolDataSource pool, String words) throws Exception {
        assertThat(Http.eventually(() -> {
                    try (Connection none = pool.getConnection()) {
                        throw new AssertionError(none + " was idle");
                    } catch (SQLException refused) {
                        return see(refused).contains(words);
                    }
                }))
                .as(words)
                .isTrue();
    }

    private static void superuser(PostgresServer database, String statement) throws SQLException {
        try (Connection connection = database.superuser().getConnection();
                Statement change = connection.createStatement()) {
            change.execute(statement);
        }
    }

    @Test
    void thePasswordIsNowhere() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresServer database = PostgresServer.start();
                TcpProxy network = TcpProxy.to(database.port())) {
            String secret = database.password();
            try (RunningOrders orders = new RunningOrders(
                    database,
                    "orders",
                    "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + network.port() + "/" + database.user()
                            + "?password=" + secret,
                    "--spring.datasource.hikari.maximum-pool-size=2",
                    "--spring.datasource.hikari.connection-timeout=300",
                    "--flexpool.ceiling=2",
                    "--flexpool.grow-on-wait.enabled=false",
                    "--flexpool.statement-text=true",
                    "--flexpool.metrics=micrometer,jmx")) {
                listen();
                allSituations(database, network, orders);
            }
            // The end of the pool is logged, too.
            assertThat(seen).contains("at every level").anyMatch(text -> text.contains("SQLState 28P01"));
            assertThat(seen).filteredOn(text -> text.contains(secret)).isEmpty();
        }
    }

    private void allSituations(PostgresServer database, TcpProxy network, RunningOrders orders) throws Exception {
        String role = "alter role " + database.user();
        FlexPoolDataSource pool = orders.dataSource().unwrap(FlexPoolDataSource.class);
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first).isNotSameAs(second);
            superuser(database, role + " password 'another'");
            explained(pool, "SQLState 28P01");
            see(pool, orders.http());
            superuser(database, role + " password '" + database.password() + "' connection limit 0");
            explained(pool, "SQLState 53300");
            see(pool, orders.http());
            superuser(database, role + " connection limit -1");
            explained(pool, "session idle");
            see(pool, orders.http());
            // The open connection ends, and the one in its place is never made.
            network.cut();
            network.blackhole();
            explained(pool, "did not answer within 200 ms");
            see(pool, orders.http());
        }
    }
}
