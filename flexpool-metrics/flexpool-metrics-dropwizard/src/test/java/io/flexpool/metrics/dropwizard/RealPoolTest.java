// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Slf4jReporter;
import com.codahale.metrics.Timer;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** H2's own data source, which is not a pool, watched by flexpool. */
class RealPoolTest {
    private static final String PASSWORD = "s3cret-of-this-test";

    private final MetricRegistry registry = new MetricRegistry();

    @Test
    void countsAndLeavesNothingBehind() throws SQLException {
        try (FlexPoolDataSource pool = pool(PASSWORD)) {
            for (int at = 0; at < 20; at++) {
                pool.getConnection().close();
            }
            Timer acquired = timer("acquisition.ok");
            // The recent figures come with the next copy, some seconds later at most.
            eventually(() -> timer("lease").getCount() == 20
                    && timer("lease").getSnapshot().size() > 0
                    && acquired.getSnapshot().size() > 0);
            assertThat(acquired.getCount()).isEqualTo(20);
            assertThat(timer("attempt").getCount()).isEqualTo(20);
            assertThat(timer("lease").getCount()).isEqualTo(20);
            assertThat(timer("acquisition.error").getCount()).isZero();
            assertThat(acquired.getSnapshot().getMin()).isPositive();
            assertThat(acquired.getSnapshot().getMedian()).isPositive();
            assertThat(timer("lease").getSnapshot().getMin()).isPositive();
            // Nanoseconds: connecting to H2 takes longer than 1 µs and less than a minute.
            assertThat(acquired.getSnapshot().getMax()).isBetween(1_000L, 60_000_000_000L);
        }
        assertThat(registry.getMetrics()).isEmpty();
    }

    @Test
    void showsAnActiveConnection() throws SQLException {
        try (FlexPoolDataSource pool = pool(PASSWORD);
                Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
            // A reading may be 100 ms old.
            eventually(() -> Long.valueOf(1).equals(active()));
            assertThat(active()).isEqualTo(1L);
            assertThat(registry.gauge("flexpool.h2.idle").getValue()).isNull();
        }
    }

    @Test
    void noPasswordIsShown() throws SQLException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(log);
        try (Connection creates = pool(PASSWORD).getConnection();
                FlexPoolDataSource pool = pool("wrong-" + PASSWORD)) {
            assertThat(creates.isValid(1)).isTrue();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            Slf4jReporter.forRegistry(registry).build().report();
        } finally {
            root.detachAppender(log);
        }
        List<String> shown = new ArrayList<>(registry.getMetrics().keySet());
        log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.INFO))
                .map(ILoggingEvent::getFormattedMessage)
                .forEach(shown::add);
        assertThat(shown).isNotEmpty().noneMatch(line -> line.contains(PASSWORD));
    }

    private Object active() {
        return registry.gauge("flexpool.h2.active").getValue();
    }

    private Timer timer(String name) {
        return registry.timer("flexpool.h2." + name);
    }

    private FlexPoolDataSource pool(String password) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:real-pool-test;DB_CLOSE_DELAY=-1");
        h2.setUser("sa");
        h2.setPassword(password);
        return FlexPool.wrap(h2)
                .name("h2")
                .metrics(DropwizardMetrics.into(registry))
                .build();
    }
}
