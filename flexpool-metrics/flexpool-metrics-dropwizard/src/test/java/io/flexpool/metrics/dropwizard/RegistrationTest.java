// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.MetricRegistryListener;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PoolView;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RegistrationTest {
    private static final int FIGURES = 45;

    private final MetricRegistry registry = new MetricRegistry();
    private final Counter theirs = registry.counter("their.own");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool.metrics");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        assertThat(registry.getMetrics()).containsOnlyKeys("their.own").containsValue(theirs);
        assertThat(beans()).isEmpty();
        assertThat(threads()).isEmpty();
    }

    @Test
    void onlyRegistersIntoTheApplicationsRegistry() {
        Binding binding = DropwizardMetrics.into(registry).bind(new ScriptedPool("orders"));
        assertThat(registry.getMetrics()).hasSize(1 + FIGURES).containsKey("flexpool.orders.acquisition.ok");
        assertThat(beans()).isEmpty();
        assertThat(threads()).isEmpty();
        binding.unbind();
        binding.unbind();
    }

    @Test
    void poolsOfOneNameGetUniqueNames() {
        DropwizardMetrics metrics = DropwizardMetrics.into(registry);
        ScriptedPool second = new ScriptedPool("orders");
        second.times(17);
        Binding first = metrics.bind(new ScriptedPool("orders"));
        Binding other = metrics.bind(second);
        assertThat(registry.getMetrics()).hasSize(1 + 2 * FIGURES);
        assertThat(registry.timer("flexpool.orders.acquisition.timeout").getCount())
                .isEqualTo(1000);
        assertThat(registry.timer("flexpool.orders#2.acquisition.timeout").getCount())
                .isEqualTo(1700);
        assertThat(messages(Level.WARN)).singleElement().asString().contains("flexpool.orders#2");
        first.unbind();
        assertThat(registry.getMetrics())
                .hasSize(1 + FIGURES)
                .containsKey("flexpool.orders#2.active")
                .doesNotContainKey("flexpool.orders.active");
        Binding again = metrics.bind(new ScriptedPool("orders"));
        assertThat(registry.getMetrics()).containsKey("flexpool.orders.active");
        again.unbind();
        other.unbind();
    }

    @Test
    void aNameUsedByTheApplicationIsNotTouched() {
        Gauge<Integer> own = () -> 1;
        registry.register("flexpool.orders.retries", own);
        Binding binding = DropwizardMetrics.into(registry).bind(new ScriptedPool("orders"));
        assertThat(registry.getMetrics())
                .hasSize(2 + FIGURES)
                .containsKey("flexpool.orders#2.retries")
                .doesNotContainKey("flexpool.orders.active")
                .containsEntry("flexpool.orders.retries", own);
        binding.unbind();
        assertThat(registry.remove("flexpool.orders.retries")).isTrue();
    }

    @Test
    void aReplacedMetricIsNotRemoved() {
        Binding binding = DropwizardMetrics.into(registry).bind(new ScriptedPool("orders"));
        registry.remove("flexpool.orders.active");
        registry.register("flexpool.orders.active", new Counter());
        binding.unbind();
        assertThat(registry.remove("flexpool.orders.active")).isTrue();
    }

    @Test
    void logsOnlyThisPoolUntilUnbound() {
        Binding neighbour = DropwizardMetrics.into(registry).bind(new ScriptedPool("orders.eu"));
        Binding binding = DropwizardMetrics.into(registry)
                .logEvery(Duration.ofMillis(100))
                .bind(new ScriptedPool("orders"));
        eventually(() -> !messages(Level.INFO).isEmpty());
        assertThat(threads()).containsExactly("flexpool-metrics-log-orders");
        binding.unbind();
        eventually(() -> threads().isEmpty());
        List<String> lines = messages(Level.INFO);
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .contains("type=TIMER", "name=flexpool.orders.acquisition.ok", "count=1000", "max=100.0")
                        .contains("mean=50.5", "duration_unit=milliseconds", "m1_rate=2.5"))
                .anySatisfy(line -> assertThat(line).contains("name=flexpool.orders.limit, value=12"))
                .anySatisfy(line -> assertThat(line).contains("name=flexpool.orders.growths, count=110"))
                .anySatisfy(line -> assertThat(line).contains("name=flexpool.orders.retries, count=1000, min=5"))
                .noneSatisfy(line -> assertThat(line).contains("their.own"))
                .noneSatisfy(line -> assertThat(line).contains("orders.eu"));
        neighbour.unbind();
    }

    @Test
    void theLogSaysWhatHappenedInMilliseconds() {
        Binding binding = DropwizardMetrics.create()
                .logEvery(Duration.ofMillis(100))
                .bind(new ScriptedPool("orders").withoutFailures().watched().withPart());
        eventually(() -> messages(Level.INFO).stream().anyMatch(line -> line.contains("orders.lease")));
        binding.unbind();
        eventually(() -> threads().isEmpty());
        assertThat(messages(Level.INFO))
                .noneSatisfy(line -> assertThat(line).contains("acquisition.timeout"))
                .noneSatisfy(line -> assertThat(line).contains("timeouts"))
                .noneSatisfy(line -> assertThat(line).contains("value=null"))
                .noneSatisfy(line -> assertThat(line).contains("p75"))
                .anySatisfy(line -> assertThat(line).contains("name=flexpool.orders.sample.age.ms, value=12500.0"))
                .anySatisfy(line -> assertThat(line).contains("name=flexpool.orders.tick.age.ms, value=90.0"));
    }

    /** The reporter's own stop would report a closed pool, on the thread that closes it. */
    @Test
    void thereIsNoLastReport() {
        Binding binding =
                DropwizardMetrics.into(registry).logEvery(Duration.ofDays(1)).bind(new ScriptedPool("orders"));
        assertThat(threads()).containsExactly("flexpool-metrics-log-orders");
        binding.unbind();
        eventually(() -> threads().isEmpty());
        assertThat(messages(Level.INFO)).isEmpty();
    }

    @Test
    void showsOnlyThisPoolAsMBeans() throws Exception {
        Binding binding = DropwizardMetrics.into(registry).jmx().bind(new ScriptedPool("orders"));
        assertThat(beans()).hasSize(FIGURES);
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName ok = new ObjectName("flexpool:name=flexpool.orders.acquisition.ok,type=timers");
        assertThat(server.getAttribute(ok, "Count")).isEqualTo(1_000L);
        assertThat(server.getAttribute(ok, "Max")).isEqualTo(100.0);
        // Another registry, where the name is free; in JMX it is in use.
        Binding other = DropwizardMetrics.create().jmx().bind(new ScriptedPool("orders"));
        assertThat(beans()).hasSize(2 * FIGURES).anyMatch(name -> name.contains("flexpool.orders#2.active"));
        binding.unbind();
        assertThat(beans()).hasSize(FIGURES);
        other.unbind();
    }

    @Test
    void noListenerStaysInTheRegistry() {
        AtomicInteger listeners = new AtomicInteger();
        MetricRegistry counting = new MetricRegistry() {
            @Override
            public void addListener(MetricRegistryListener listener) {
                listeners.incrementAndGet();
                super.addListener(listener);
            }

            @Override
            public void removeListener(MetricRegistryListener listener) {
                listeners.decrementAndGet();
                super.removeListener(listener);
            }
        };
        Binding binding = DropwizardMetrics.into(counting).jmx().bind(new ScriptedPool("orders"));
        assertThat(listeners).hasValue(1);
        binding.unbind();
        assertThat(listeners).hasValue(0);
    }

    @Test
    void aPoolWhoseNameContinuesAnothersKeepsItsName() {
        Binding eu = DropwizardMetrics.into(registry).jmx().bind(new ScriptedPool("orders.eu"));
        Binding all = DropwizardMetrics.into(registry).jmx().bind(new ScriptedPool("orders"));
        assertThat(registry.getMetrics()).containsKey("flexpool.orders.active");
        all.unbind();
        assertThat(registry.getMetrics()).containsKey("flexpool.orders.eu.active");
        assertThat(beans()).hasSize(FIGURES);
        eu.unbind();
    }

    @Test
    void namesThatJmxMustQuoteCollideNeither() {
        DropwizardMetrics metrics = DropwizardMetrics.into(registry);
        Binding first = metrics.jmx().bind(new ScriptedPool("a*b, c:d?"));
        Binding other = DropwizardMetrics.create().jmx().bind(new ScriptedPool("a*b, c:d?"));
        assertThat(beans()).hasSize(2 * FIGURES);
        first.unbind();
        other.unbind();
    }

    @Test
    void refusesAPeriodOutOfRange() {
        for (Duration period :
                List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofMillis(99), Duration.ofDays(2))) {
            assertThatThrownBy(() -> DropwizardMetrics.create().logEvery(period))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("log-every = " + period);
        }
    }

    @Test
    void withoutTheJmxArtifactTheErrorNamesIt() throws Exception {
        Class<?> type = new WithoutJmx().loadClass(DropwizardMetrics.class.getName());
        Object metrics = type.getMethod("into", MetricRegistry.class).invoke(null, registry);
        Object binding = type.getMethod("bind", PoolView.class).invoke(metrics, new ScriptedPool("orders"));
        assertThat(registry.getMetrics()).containsKey("flexpool.orders.active");
        ((Binding) binding).unbind();
        assertThatThrownBy(() -> type.getMethod("jmx").invoke(metrics))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("io.dropwizard.metrics:metrics-jmx");
    }

    private List<String> messages(Level level) {
        return List.copyOf(log.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static Set<String> beans() {
        try {
            return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("flexpool:*"), null).stream()
                    .map(ObjectName::getCanonicalName)
                    .collect(Collectors.toSet());
        } catch (MalformedObjectNameException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("flexpool-metrics"))
                .toList();
    }

    /** Reloads this module's classes, as on a class path without metrics-jmx. */
    private static final class WithoutJmx extends ClassLoader {
        WithoutJmx() {
            super(RegistrationTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("com.codahale.metrics.jmx.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.flexpool.metrics.dropwizard.")) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineAgain(name);
        }

        private Class<?> defineAgain(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
