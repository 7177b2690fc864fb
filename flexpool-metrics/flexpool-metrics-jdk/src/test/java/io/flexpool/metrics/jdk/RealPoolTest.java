// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.pool.AcquisitionOutcome;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** HikariCP on H2, bound by flexpool: its activity read back from JFR and JMX. */
class RealPoolTest {
    private static final String POOL = "real";
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final Duration HELD = Duration.ofMillis(20);

    private final ConcurrentLinkedQueue<RecordedEvent> events = new ConcurrentLinkedQueue<>();

    private static FlexPoolDataSource pool(String name) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + name);
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(250);
        return FlexPool.wrap(new HikariDataSource(config))
                .name(POOL)
                .set("base", 2)
                .set("ceiling", 5)
                .metrics(JmxMetrics.create())
                .metrics(JfrEvents.create())
                .metrics(tracing())
                .build();
    }

    /** As a tracing backend does. */
    private static MetricsBinder tracing() {
        return pool -> new Binding() {
            @Override
            public String traceId() {
                return TRACE;
            }

            @Override
            public void unbind() {
                // Shows nothing.
            }
        };
    }

    private List<RecordedEvent> events(String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("flexpool." + name))
                .toList();
    }

    private RecordingStream stream() {
        RecordingStream stream = new RecordingStream();
        stream.setReuse(false);
        for (String name : List.of("AcquisitionTimeout", "PoolResized")) {
            stream.enable("flexpool." + name);
        }
        stream.enable("flexpool.ConnectionAcquisition").with("longerThan", "0 ns");
        stream.enable("flexpool.ConnectionLease").with("longerThan", HELD.toMillis() + " ms");
        stream.onEvent(event -> {
            if (event.getEventType().getName().startsWith("flexpool.")) {
                events.add(event);
            }
        });
        return stream;
    }

    private static void hold(Connection connection) throws SQLException {
        long since = System.nanoTime();
        eventually(() -> System.nanoTime() - since >= HELD.toNanos());
        connection.close();
    }

    @Test
    void aRealPoolsActivityIsReadBackFromAStream() throws SQLException {
        try (RecordingStream stream = stream();
                FlexPoolDataSource pool = pool("recorded")) {
            stream.startAsync();
            for (int at = 0; at < 17; at++) {
                pool.getConnection().close();
            }
            Connection first = pool.getConnection();
            try (Connection second = pool.getConnection()) {
                assertThat(second.isValid(1)).isTrue();
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
                pool.limits(3, 4);
                hold(first);
            }
            eventually(() -> events("ConnectionAcquisition").size() >= 20
                    && !events("ConnectionLease").isEmpty());

            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(19);
            assertThat(pool.statistics().total().leases().count()).isEqualTo(19);
        }
        assertThat(events)
                .allSatisfy(event -> assertThat(event.getString("pool")).isEqualTo(POOL));
        assertThat(events("ConnectionAcquisition"))
                .filteredOn(event -> event.getString("outcome").equals("ok"))
                .hasSize(19);
        theTimeoutIsThere();
        assertThat(events("PoolResized")).singleElement().satisfies(event -> {
            assertThat(event.getInt("from")).isEqualTo(2);
            assertThat(event.getInt("to")).isEqualTo(3);
            assertThat(event.getString("cause")).isEqualTo("MANUAL");
        });
        assertThat(events("ConnectionLease"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getDuration("held")).isGreaterThanOrEqualTo(HELD));
    }

    private void theTimeoutIsThere() {
        assertThat(events("ConnectionAcquisition"))
                .filteredOn(event -> event.getString("outcome").equals("timeout"))
                .singleElement()
                .satisfies(event -> assertThat(event.getDuration("waited")).isGreaterThan(Duration.ofMillis(200)));
        assertThat(events("AcquisitionTimeout")).singleElement().satisfies(event -> {
            assertThat(event.getString("traceId")).isEqualTo(TRACE);
            assertThat(event.getString("report")).contains("real: no connection after ", "exhausted");
            assertThat(event.getInt("active")).isEqualTo(2);
            assertThat(event.getInt("max")).isEqualTo(2);
            assertThat(event.getInt("limit")).isEqualTo(2);
            assertThat(event.getStackTrace().getFrames())
                    .extracting(RecordedFrame::getMethod)
                    .anySatisfy(method -> assertThat(method.getType().getName())
                            .isEqualTo(getClass().getName()));
        });
    }

    private static ObjectName name() throws Exception {
        return new ObjectName("flexpool:type=Pool,name=" + POOL);
    }

    // This test is the other end of the connection.
    @SuppressWarnings("BanJNDI")
    @Test
    void limitsAreChangedOverARemoteConnection() throws Exception {
        MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
        JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("rmi", "127.0.0.1", 0), null, platform);
        server.start();
        try (FlexPoolDataSource pool = pool("moved");
                JMXConnector client = JMXConnectorFactory.connect(server.getAddress());
                Connection out = pool.getConnection()) {
            assertThat(out.isValid(1)).isTrue();
            PoolMXBean bean = proxy(client.getMBeanServerConnection());
            // A reading is cached for 100 ms, and one was made when the pool was bound.
            eventually(() -> bean.getActive() == 1);
            assertThat(List.of(
                            bean.getActive(),
                            present(bean.getBase()),
                            present(bean.getCeiling()),
                            present(bean.getMax())))
                    .containsExactly(1, 2, 5, 2);
            assertThat(bean.getPoolType()).isEqualTo("HikariCP");
            assertThat(bean.getAcquisitionOk().getCount()).isEqualTo(1);
            bean.limits(3, 5);
            assertThat(List.of(present(bean.getBase()), present(bean.getCeiling()), present(bean.getLimit())))
                    .containsExactly(3, 5, 3);
            refused(() -> bean.limits(0, 9), "real: base = 0: must be from 1 to 10000");
            refused(() -> bean.limits(10_001, 10_001), "real: base = 10001: must be from 1 to 10000");
            refused(() -> bean.limits(4, 3), "real: ceiling = 3: must not be below the base, 4");
            assertThat(List.of(present(bean.getBase()), present(bean.getCeiling())))
                    .containsExactly(3, 5);
            bean.setMode("monitor");
            assertThat(bean.isBound()).isFalse();
            assertThatThrownBy(() -> bean.limits(1, 2))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("real: flexpool does not change this pool, so it has no limits");
            bean.setMode("recommend");
            assertThat(present(bean.getBase())).isEqualTo(3);
        } finally {
            server.stop();
        }
        assertThat(platform.queryNames(new ObjectName("flexpool:*"), null)).isEmpty();
    }

    private static PoolMXBean proxy(MBeanServerConnection connection) throws Exception {
        return JMX.newMXBeanProxy(connection, name(), PoolMXBean.class);
    }

    /** A figure that this pool must report. */
    private static int present(@Nullable Integer figure) {
        assertThat(figure).isNotNull();
        return figure == null ? -1 : figure;
    }

    private static void refused(Runnable change, String message) {
        assertThatThrownBy(change::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void twoRealPoolsOfOneNameAreDistinguished() throws Exception {
        MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
        try (RecordingStream stream = stream()) {
            stream.enable("flexpool.PoolFigures").withPeriod(Duration.ofMillis(50));
            stream.startAsync();
            try (FlexPoolDataSource first = pool("one");
                    FlexPoolDataSource second = pool("two");
                    Connection out = second.getConnection()) {
                assertThat(out.isValid(1)).isTrue();
                assertThat(first.state().leased()).isZero();
                PoolMXBean shown = JMX.newMXBeanProxy(platform, new ObjectName(name() + "#2"), PoolMXBean.class);
                // Not at once: the reading made when the pool was bound is cached for 100 ms.
                eventually(() -> shown.getActive() == 1);
                assertThat(platform.getAttribute(name(), "Active")).isEqualTo(0);
                eventually(() -> figuresOf(POOL, 0) > 1 && figuresOf(POOL + "#2", 1) > 1);
            }
            assertThat(figuresOf(POOL, 1)).isZero();
            assertThat(events("ConnectionAcquisition"))
                    .extracting(event -> event.getString("pool"))
                    .containsOnly(POOL + "#2");
        }
        assertThat(platform.queryNames(new ObjectName("flexpool:*"), null)).isEmpty();
    }

    private long figuresOf(String pool, int active) {
        return events("PoolFigures").stream()
                .filter(event -> event.getString("pool").equals(pool) && event.getInt("active") == active)
                .count();
    }
}
