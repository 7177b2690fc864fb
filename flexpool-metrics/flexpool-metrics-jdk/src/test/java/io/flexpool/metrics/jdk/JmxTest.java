// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.diagnostics.Decision;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMX;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JmxTest {
    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final JmxMetrics metrics = JmxMetrics.into(server);
    private final List<Binding> bindings = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() throws Exception {
        bindings.forEach(Binding::unbind);
        assertThat(server.queryNames(new ObjectName("flexpool:*"), null)).isEmpty();
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("flexpool:*"), null))
                .isEmpty();
    }

    private Binding bind(PoolView pool) {
        Binding binding = metrics.bind(pool);
        bindings.add(binding);
        return binding;
    }

    private static ObjectName name(String pool) throws Exception {
        return new ObjectName("flexpool:type=Pool,name=" + pool);
    }

    /** A pool that records the changes requested. */
    private static final class Controlled implements PoolControl {
        private final ScriptedPool pool = new ScriptedPool("orders");
        private final List<String> asked = new ArrayList<>();
        private final List<Decision> decisions = new ArrayList<>();
        private PoolMode mode = PoolMode.RECOMMEND;

        @Override
        public boolean mode(PoolMode wanted) {
            asked.add(wanted.toString());
            mode = wanted;
            if (wanted == PoolMode.MONITOR) {
                pool.watched();
            }
            return true;
        }

        @Override
        public PoolMode mode() {
            return mode;
        }

        @Override
        public PoolDiagnosis diagnosis() {
            return new PoolDiagnosis() {
                @Override
                public List<Decision> decisions() {
                    return decisions;
                }
            };
        }

        @Override
        public List<PartView> parts() {
            return List.of(new PartView() {
                @Override
                public String name() {
                    return "sample";
                }

                @Override
                public List<PartMetric> metrics() {
                    return List.of(
                            PartMetric.gauge("sample.held", "flexpool.sample.held", "{connection}", "Held.", () -> 3),
                            PartMetric.gauge(
                                    "sample.none", "flexpool.sample.none", "{connection}", "None.", () -> Double.NaN),
                            PartMetric.gauge("sample.age", "flexpool.sample.age", "s", "Age.", () -> 1.5),
                            PartMetric.counter("sample.calls", "flexpool.sample.calls", "{call}", "Calls.", () -> 7));
                }

                @Override
                public List<String> reportLines() {
                    return List.of();
                }

                @Override
                public Map<String, Object> fields() {
                    return Map.of();
                }

                @Override
                public Map<String, String> texts() {
                    return Map.of("advice", "8 would be enough");
                }
            });
        }

        @Override
        public void limits(int base, int ceiling) {
            if (base < 1) {
                throw new IllegalArgumentException("orders: base = " + base + ": must be from 1 to 10000");
            }
            asked.add(base + " to " + ceiling);
        }

        @Override
        public int warmUp(int connections, Duration within) {
            asked.add("warm up " + connections + " within " + within);
            return connections;
        }

        @Override
        public int drain(Duration within) {
            asked.add("drain within " + within);
            return 3;
        }

        @Override
        public boolean evict(String reason) {
            asked.add("evict: " + reason);
            return true;
        }

        @Override
        public boolean pause() {
            asked.add("pause");
            return true;
        }

        @Override
        public boolean resume() {
            asked.add("resume");
            return false;
        }

        @Override
        public PoolPhase phase() {
            return PoolPhase.PAUSED;
        }

        @Override
        public String name() {
            return pool.name();
        }

        @Override
        public String type() {
            return pool.type();
        }

        @Override
        public PoolState state() {
            return pool.state();
        }

        @Override
        public PoolStatistics statistics() {
            return pool.statistics();
        }
    }

    @Test
    void limitsAreMovedThroughTheBean() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        bean.limits(5, 9);
        assertThat(bean.isBound()).isTrue();
        bean.setMode("monitor");
        // At once, although readings are cached for 100 ms.
        assertThat(bean.isBound()).isFalse();
        assertThat(bean.getBase()).isNull();
        assertThat(pool.asked).containsExactly("5 to 9", "monitor");
    }

    @Test
    void eachOperationRefreshesTheReading() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        for (Runnable change : List.<Runnable>of(() -> bean.limits(5, 9), () -> bean.setMode("adapt"))) {
            int before = pool.pool.readings();
            change.run();
            assertThat(pool.pool.readings()).isEqualTo(before + 1);
        }
    }

    @Test
    void theModeCanBeSet() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThat(bean.getMode()).isEqualTo("recommend");
        server.setAttribute(name("orders"), new Attribute("Mode", " Adapt"));
        assertThat(pool.mode).isEqualTo(PoolMode.ADAPT);
        assertThat(bean.getMode()).isEqualTo("adapt");
        assertThat(pool.asked).containsExactly("adapt");
    }

    @Test
    void theLifeCycleIsOperations() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThat(bean.getPhase()).isEqualTo("paused");
        assertThat(bean.pause()).isTrue();
        assertThat(bean.resume()).isFalse();
        assertThat(bean.evict("a new password")).isTrue();
        assertThat(bean.warmUp(5, 2_000)).isEqualTo(5);
        assertThat(bean.drain(30_000)).isEqualTo(3);
        assertThat(pool.asked)
                .containsExactly(
                        "pause", "resume", "evict: a new password", "warm up 5 within PT2S", "drain within PT30S");
    }

    /** The pool's own NullPointerException, or one of the bean's server that names nothing. */
    @Test
    @SuppressWarnings("NullAway") // what a client may pass
    void aNullIsRefusedByName() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThatThrownBy(() -> bean.evict(null)).hasMessageContaining("orders: evict: reason = null: must be given");
        assertThatThrownBy(() -> bean.setMode(null))
                .hasMessageContaining("orders: mode = null: must be monitor, recommend or adapt");
        Map<String, List<String>> operations =
                Map.of("warmUp", List.of("int", "long"), "drain", List.of("long"), "limits", List.of("int", "int"));
        operations.forEach((operation, types) -> {
            Object[] nothing = new Object[types.size()];
            assertThatThrownBy(() -> server.invoke(name("orders"), operation, nothing, types.toArray(new String[0])))
                    .hasMessageContaining("orders: " + operation)
                    .hasMessageContaining(" = null: must be given");
        });
        assertThat(pool.asked).isEmpty();
    }

    @Test
    void anUnknownModeIsRefusedByName() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThatThrownBy(() -> bean.setMode("perhaps"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders: mode = perhaps: must be monitor, recommend or adapt");
        assertThatThrownBy(() -> bean.setMode("act")).hasMessageEndingWith("adapt; act is now adapt");
        assertThat(pool.asked).isEmpty();
    }

    /** A remote client without flexpool's classes saw a ClassNotFoundException in place of the refusal. */
    @Test
    void aRefusalHasOnlyExceptionsOfTheJdk() {
        bind(new Controlled());
        assertThatThrownBy(() -> server.setAttribute(name("orders"), new Attribute("Mode", "perhaps")))
                .satisfies(refused -> {
                    for (Throwable link = refused; link != null; link = link.getCause()) {
                        assertThat(link.getClass().getName()).startsWith("java");
                    }
                });
    }

    @Test
    void decisionsAreShown() throws Exception {
        Controlled pool = new Controlled();
        bind(pool);
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThat(bean.decisions()).isEmpty();
        Decision decision = new SizingDecision(
                1,
                Instant.parse("2026-11-22T01:02:03Z"),
                PoolMode.ADAPT,
                4,
                6,
                6,
                Decision.Cause.DEMAND,
                null,
                Decision.Verdict.PENDING,
                Decision.Outcome.DONE,
                Evidence.NONE,
                "limit 4 → 6, tried: so");
        pool.decisions.add(decision);
        pool.decisions.add(decision);
        String line = "2026-11-22T01:02:03Z limit 4 → 6, tried: so\n";
        assertThat(bean.decisions()).isEqualTo(line + line);
    }

    @Test
    void theReportIsText() throws Exception {
        ScriptedPool pool = new ScriptedPool("orders");
        bind(pool);
        Object report = server.invoke(name("orders"), "report", new Object[0], new String[0]);
        assertThat(report).isEqualTo(pool.report());
        assertThat((String) report)
                .startsWith("orders (scripted): limit 12 (base 10, ceiling 25)")
                .contains("\nOpen leases, oldest first: none\n");
    }

    /** Those of the advice were written into the bean's interface: a part adds its own. */
    @Test
    void metricsAndTextsOfPartsAreAttributes() throws Exception {
        bind(new Controlled());
        ObjectName bean = name("orders");
        assertThat(server.getAttribute(bean, "Advice")).isEqualTo("8 would be enough");
        assertThat(server.getAttribute(bean, "SampleHeld")).isEqualTo(3);
        assertThat(server.getAttribute(bean, "SampleNone")).isNull();
        assertThat(server.getAttribute(bean, "SampleAge")).isEqualTo(1.5);
        assertThat(server.getAttributes(bean, new String[] {"SampleCalls", "State"}))
                .extracting("name")
                .containsExactly("SampleCalls", "State");
        assertThat(server.getMBeanInfo(bean).getAttributes())
                .filteredOn(info ->
                        info.getName().startsWith("Sample") || info.getName().equals("Advice"))
                .extracting(MBeanAttributeInfo::getName, MBeanAttributeInfo::getType)
                .containsExactly(
                        tuple("SampleHeld", "java.lang.Integer"),
                        tuple("SampleNone", "java.lang.Integer"),
                        tuple("SampleAge", "java.lang.Double"),
                        tuple("SampleCalls", "java.lang.Long"),
                        tuple("Advice", "java.lang.String"));
    }

    @Test
    void badLimitsAreRefusedWithTheMessage() throws Exception {
        bind(new Controlled());
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThatThrownBy(() -> bean.limits(0, 9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("base = 0: must be from 1 to 10000");
        assertThatThrownBy(
                        () -> server.invoke(name("orders"), "limits", new Object[] {0, 9}, new String[] {"int", "int"}))
                .hasMessageContaining("base = 0: must be from 1 to 10000");
    }

    @Test
    void anUnchangeablePoolRefusesOperations() throws Exception {
        bind(new ScriptedPool("orders"));
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        for (Runnable change : List.<Runnable>of(() -> bean.limits(1, 2), () -> bean.setMode("adapt"))) {
            assertThatThrownBy(change::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("orders: this pool cannot be changed over JMX");
        }
    }

    @Test
    void showsAttributesThatAreNoFigures() throws Exception {
        bind(new ScriptedPool("orders"));
        PoolMXBean bean = JMX.newMXBeanProxy(server, name("orders"), PoolMXBean.class);
        assertThat(bean.getName()).isEqualTo("orders");
        assertThat(bean.getPoolType()).isEqualTo("scripted");
        assertThat(bean.getState()).startsWith("limit 12 (base 10, ceiling 25), max 13, active 7");
        assertThat(bean.getBase()).isEqualTo(10);
        assertThat(bean.getCeiling()).isEqualTo(25);
        assertThat(bean.getAcquisitionRate().getMean()).isEqualTo(1.5);
        assertThat(bean.getAcquisitionRate().getOneMinute()).isEqualTo(2.5);
        assertThat(bean.getAcquisitionRate().getFiveMinutes()).isEqualTo(3.5);
        assertThat(bean.getAcquisitionRate().getFifteenMinutes()).isEqualTo(4.5);
        assertThat(bean.getLeaseRate().getOneMinute()).isEqualTo(6.5);
        PoolMXBean.Durations ok = bean.getAcquisitionOk();
        assertThat(ok.getMeanMillis()).isEqualTo(50.5);
        assertThat(ok.getMaxMillis()).isEqualTo(100);
        assertThat(List.of(ok.getP50Millis(), ok.getP95Millis(), ok.getP99Millis()))
                .containsExactly(ok.getRecentP50Millis(), ok.getRecentP95Millis(), ok.getRecentP99Millis());
        assertThat(ok.getCount()).isEqualTo(1000);
        assertThat(ok.getRecentCount()).isEqualTo(100);
        assertThat(bean.getRetries().getRecentCount()).isEqualTo(100);
    }

    @Test
    void everyAttributeIsDescribed() throws Exception {
        bind(new ScriptedPool("orders"));
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(name("orders")).getAttributes()) {
            boolean isName = attribute.getName().equals("Name");
            assertThat(attribute.getDescription())
                    .as(attribute.getName())
                    .endsWith(".")
                    .matches(text -> text.equals("The name given to the pool.") == isName);
        }
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.perClass()) {
                continue;
            }
            String attribute =
                    metric == PoolMetric.ACQUISITION ? "AcquisitionError" : RegisteredPool.attributeName(metric);
            assertThat(described(attribute)).as(attribute).isEqualTo(metric.meaning());
        }
    }

    @Test
    void everyOperationIsDescribed() throws Exception {
        bind(new ScriptedPool("orders"));
        for (MBeanOperationInfo operation : server.getMBeanInfo(name("orders")).getOperations()) {
            assertThat(operation.getImpact())
                    .isEqualTo(
                            Set.of("report", "decisions").contains(operation.getName())
                                    ? MBeanOperationInfo.INFO
                                    : MBeanOperationInfo.ACTION);
            assertThat(operation.getDescription()).endsWith(".");
            assertThat(operation.getSignature())
                    .extracting(MBeanParameterInfo::getName)
                    .isEqualTo(
                            switch (operation.getName()) {
                                case "limits" -> List.of("base", "ceiling");
                                case "warmUp" -> List.of("connections", "withinMillis");
                                case "drain" -> List.of("withinMillis");
                                case "evict" -> List.of("reason");
                                default -> List.of();
                            });
        }
    }

    private String described(String attribute) throws Exception {
        return Stream.of(server.getMBeanInfo(name("orders")).getAttributes())
                .filter(shown -> shown.getName().equals(attribute))
                .findFirst()
                .orElseThrow()
                .getDescription();
    }

    @Test
    void aPoolWhoseNameIsInUseGetsAnother() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(JmxMetrics.class);
        logger.addAppender(log);
        try {
            bind(new ScriptedPool("orders"));
            bind(new ScriptedPool("orders"));
        } finally {
            logger.detachAppender(log);
        }
        assertThat(server.isRegistered(name("orders#2"))).isTrue();
        assertThat(log.list)
                .singleElement()
                .satisfies(event -> assertThat(event.getLevel()).isEqualTo(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEqualTo(
                        "orders: another pool has this name; the MBean of this pool is flexpool:type=Pool,name=orders#2. Give each pool its own name.");
    }

    @Test
    void namesAreQuotedIfTheyMustBe() throws Exception {
        for (String pool : List.of("a, b", "a=b", "a:b", "a*b", "a?b", "say \"a\"")) {
            bind(new ScriptedPool(pool));
            assertThat(server.isRegistered(name(ObjectName.quote(pool))))
                    .as(pool)
                    .isTrue();
        }
        bind(new ScriptedPool("Bestellungen (neu) #1"));
        assertThat(server.isRegistered(name("Bestellungen (neu) #1"))).isTrue();
        bind(new ScriptedPool("a, b"));
        assertThat(server.isRegistered(name(ObjectName.quote("a, b#2")))).isTrue();
    }

    @Test
    void aBeanRegisteredSinceIsNotRemoved() throws Exception {
        Binding first = bind(new ScriptedPool("orders"));
        server.unregisterMBean(name("orders"));
        bind(new ScriptedPool("orders"));
        first.unbind();
        assertThat(server.isRegistered(name("orders"))).isTrue();
    }

    @Test
    void thePlatformsServerIsTheDefault() throws Exception {
        Binding binding =
                new JmxProvider().create(new ConfigKey.Values(Map.of())).bind(new ScriptedPool("orders"));
        MBeanServer platform = ManagementFactory.getPlatformMBeanServer();
        assertThat(platform.getAttribute(name("orders"), "AcquisitionOk")).isInstanceOf(CompositeData.class);
        binding.unbind();
    }
}
