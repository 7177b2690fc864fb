// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** docs/how-to/migrate-hikaricp.md: both name the same forgotten connection. */
@Timeout(300)
class LeakDetectionTest {
    private static final Logger OF_HIKARI = (Logger) LoggerFactory.getLogger("com.zaxxer.hikari.pool.ProxyLeakTask");

    private final Queue<ILoggingEvent> log = new ConcurrentLinkedQueue<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event);
        }
    };

    @BeforeEach
    void readTheLog() {
        appender.start();
        OF_HIKARI.addAppender(appender);
    }

    @AfterEach
    void leaveTheLog() {
        OF_HIKARI.detachAppender(appender);
    }

    private static Connection forgotten(DataSource orders) throws SQLException {
        return orders.getConnection();
    }

    @Test
    void bothReportTheLeakAndItsEnd() throws Exception {
        Queue<PoolEvent.LeakSuspected> suspected = new ConcurrentLinkedQueue<>();
        Queue<PoolEvent.LeakResolved> resolved = new ConcurrentLinkedQueue<>();
        PoolListener listener = new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.LeakSuspected suspectedEvent) {
                    suspected.add(suspectedEvent);
                } else if (event instanceof PoolEvent.LeakResolved resolvedEvent) {
                    resolved.add(resolvedEvent);
                }
            }
        };
        try (HikariDataSource before = LeakDetectionBefore.watched(RealDatabase.hikari());
                FlexPoolDataSource after = LeakDetectionAfter.watched(RealDatabase.hikari(), listener)) {
            for (DataSource orders : List.of(before, after)) {
                // Returned in time, and in no report.
                orders.getConnection().close();
            }
            Connection ofHikari = forgotten(before);
            Connection ofFlexpool = forgotten(after);
            await().until(() -> !log.isEmpty() && !suspected.isEmpty());
            assertThat(log.peek().getFormattedMessage())
                    .contains(
                            "Connection leak detection triggered",
                            Thread.currentThread().getName());
            assertThat(suspected.peek().lease().thread())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(after.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                    .isOne();

            List<String> stack = Arrays.stream(log.peek().getThrowableProxy().getStackTraceElementProxyArray())
                    .map(StackTraceElementProxy::getStackTraceElement)
                    .map(StackTraceElement::toString)
                    .toList();
            String callSite = Objects.requireNonNull(suspected.peek().lease().callSite());
            assertThat(callSite).contains("LeakDetectionTest.forgotten(LeakDetectionTest.java:");
            assertThat(stack)
                    .anyMatch(line -> line.endsWith(callSite.substring(callSite.indexOf("LeakDetectionTest."))));

            ofHikari.close();
            ofFlexpool.close();
            await().until(() -> log.size() == 2 && !resolved.isEmpty());
            assertThat(log).anyMatch(line -> line.getFormattedMessage().contains("unleaked"));
            assertThat(suspected).hasSize(1);
            assertThat(resolved).hasSize(1);
        }
    }
}
