// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A canary for a password: it must not appear in any text of flexpool. */
class NoPasswordTest {
    private static final String CANARY = "canary7391";

    private final Queue<String> said = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final MetricRegistry registry = new MetricRegistry();

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            say("log " + event.getLoggerName() + " " + event.getFormattedMessage());
            if (event.getThrowableProxy() != null && event.getLoggerName().startsWith("io.flexpool")) {
                say(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
    };

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord message) {
            say("jul " + message.getLoggerName() + " " + message.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private void say(String text) {
        said.add(text);
    }

    @BeforeEach
    void listen() {
        appender.setContext(root.getLoggerContext());
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.DEBUG);
        java.util.logging.Logger.getLogger("").addHandler(handler);
    }

    @AfterEach
    void listenNoMore() {
        java.util.logging.Logger.getLogger("").removeHandler(handler);
        root.setLevel(before);
        root.detachAppender(appender);
    }

    private static HikariDataSource hikari(String url, String password) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername("sa");
        pool.setPassword(password);
        pool.setMaximumPoolSize(2);
        pool.setConnectionTimeout(300);
        pool.setRegisterMbeans(true);
        return pool;
    }

    private FlexPoolBuilder wrap(HikariDataSource pool, String name) {
        return FlexPool.wrap(pool)
                .name(name)
                .set("base", 1)
                .set("slow-acquisition", Duration.ofNanos(1))
                .set("long-lease", Duration.ofNanos(1))
                .set("circuit-breaker.failures", 2)
                .set("ceiling", 2)
                .set("grow-on-wait.enabled", true)
                .set("fail-fast.max-pending", 0)
                .metrics(DropwizardMetrics.into(registry).jmx().logEvery(Duration.ofMillis(100)))
                .listener(new Teller());
    }

    private final class Teller implements PoolListener {
        @Override
        public void onEvent(PoolEvent event) {
            say(event + " " + event.describe());
        }
    }

    @Test
    void noPasswordIsSaidAnywhere() throws Exception {
        String url = "jdbc:h2:mem:canary;DB_CLOSE_DELAY=-1";
        try (FlexPoolDataSource right = wrap(hikari(url, CANARY), "right").build();
                FlexPoolDataSource wrong =
                        wrap(hikari(url, CANARY + "-wrong"), "wrong").build();
                FlexPoolDataSource inUrl = wrap(
                                hikari("jdbc:nosuch://u:" + CANARY + "@127.0.0.1/db?password=" + CANARY, CANARY), "url")
                        .build()) {
            try (Connection connection = right.getConnection()) {
                say(connection + " " + connection.getMetaData());
                say(String.valueOf(catchThrowable(right::getConnection)));
                say(String.valueOf(catchThrowable(right::getConnection)));
            }
            say(ours(catchThrowable(() -> right.getConnection("sa", CANARY))));
            for (FlexPoolDataSource failing : new FlexPoolDataSource[] {wrong, inUrl}) {
                for (int round = 0; round < 3; round++) {
                    say(ours(catchThrowable(failing::getConnection)));
                }
                say(failing + " " + failing.state() + " " + failing.statistics());
            }
            say(right + " " + right.state() + " " + right.statistics());
            readMetrics();
            readMBeans();
            Thread.sleep(250);
        }
        say(FlexPool.configurationKeys().toString());
        assertThat(said)
                .as("an event of each kind was received")
                .anyMatch(text -> text.startsWith("log io.flexpool"))
                .anyMatch(text -> text.startsWith("log com.zaxxer.hikari"))
                .anyMatch(text -> text.startsWith("metric "))
                .anyMatch(text -> text.startsWith("mbean "))
                .anyMatch(text -> text.contains("CircuitChanged"))
                .anyMatch(text -> text.contains("rejected, "));
        nothingHasThePassword();
    }

    /** HikariCP 7.1.0 itself logs a URL's user information, at DEBUG when it starts. That is not ours to mend. */
    private void nothingHasThePassword() {
        assertThat(said)
                .filteredOn(text -> !text.startsWith("log com.zaxxer.hikari"))
                .noneMatch(text -> text.contains(CANARY));
    }

    @Test
    void noRefusedConfigurationShowsIt() {
        for (Map<String, String> refused :
                List.of(Map.of("flexpool.password", CANARY), Map.of("flexpool.nmae", "x?password=" + CANARY))) {
            say(String.valueOf(catchThrowable(() -> FlexPool.wrap(hikari("jdbc:h2:mem:refused", CANARY))
                    .properties(refused)
                    .build())));
        }
        assertThat(said.stream().filter(text -> text.contains("no such key") && text.contains("***")))
                .hasSize(2);
        nothingHasThePassword();
    }

    @Test
    void noReasonOfAnEvictionShowsIt() {
        try (FlexPoolDataSource pool =
                wrap(hikari("jdbc:h2:mem:evicted", CANARY), "evicted").build()) {
            assertThat(pool.evict("rotated, password=" + CANARY)).isTrue();
            say(pool.report() + pool.diagnosis().recentEvents());
        }
        assertThat(said).anyMatch(text -> text.contains("rotated, password=***"));
        nothingHasThePassword();
    }

    @Test
    void noTextOfAStatementShowsIt() throws Exception {
        try (FlexPoolDataSource pool = wrap(hikari("jdbc:h2:mem:stated", CANARY), "stated")
                        .set("statement-text", true)
                        .build();
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create user other password '" + CANARY + "'");
            say(pool.openLeases() + pool.report());
            readMBeans();
        }
        assertThat(said).anyMatch(text -> text.contains("create user other password"));
        nothingHasThePassword();
    }

    /** The pool's exception is the pool's own; what flexpool adds to it is what counts here. */
    private static String ours(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable suppressed : thrown.getSuppressed()) {
            for (Throwable at = suppressed; at != null; at = at.getCause()) {
                text.append(at).append('\n');
            }
        }
        if (String.valueOf(thrown.getMessage()).contains(": no connection after ")) {
            text.append(thrown.getMessage());
        }
        return text.toString();
    }

    private void readMetrics() {
        registry.getMetrics()
                .forEach((name, metric) ->
                        say("metric " + name + " " + (metric instanceof Gauge<?> gauge ? gauge.getValue() : metric)));
    }

    private void readMBeans() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (String domain : new String[] {"flexpool*:*", "com.zaxxer.hikari:*"}) {
            for (ObjectName name : server.queryNames(new ObjectName(domain), null)) {
                for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                    if (attribute.isReadable()) {
                        say("mbean " + name + " " + attribute.getName() + " " + read(server, name, attribute));
                    }
                }
            }
        }
    }

    private static String read(MBeanServer server, ObjectName name, MBeanAttributeInfo attribute) {
        try {
            return String.valueOf(server.getAttribute(name, attribute.getName()));
        } catch (Exception unreadable) {
            return unreadable.getClass().getName();
        }
    }

    /** Else the test above could not fail. */
    @Test
    void aCanaryIsHeard() throws SQLException {
        LoggerFactory.getLogger("io.flexpool.test").debug("the password is {}", CANARY);
        java.util.logging.Logger.getLogger("io.flexpool.test").warning(CANARY);
        assertThat(said.stream().filter(text -> text.contains(CANARY))).hasSize(2);
    }
}
