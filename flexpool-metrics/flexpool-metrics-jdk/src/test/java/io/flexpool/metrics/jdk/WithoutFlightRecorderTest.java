// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A Java runtime without the module {@code jdk.jfr}: its classes cannot be found. */
class WithoutFlightRecorderTest {
    @Test
    void nothingIsRecordedAndTheLogSaysSo() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(JfrEvents.class);
        logger.addAppender(log);
        try {
            MetricsProvider provider = (MetricsProvider) new LoadedAgain(name -> name.startsWith("jdk.jfr."))
                    .loadClass(JfrProvider.class.getName())
                    .getConstructor()
                    .newInstance();
            assertThat(provider.name()).isEqualTo("jfr");
            MetricsBinder binder = provider.create(new ConfigKey.Values(Map.of()));
            Binding binding = binder.bind(new ScriptedPool("orders"));
            assertThat(binding.observer()).isSameAs(LeaseObserver.NONE);
            assertThat(binding.listener()).isNull();
            binding.unbind();
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("orders", "jdk.jfr");
    }

    @Test
    void withoutFlightRecorderThereAreStillMBeans() throws Exception {
        MetricsProvider provider = (MetricsProvider) new LoadedAgain(name -> name.startsWith("jdk.jfr."))
                .loadClass(JmxProvider.class.getName())
                .getConstructor()
                .newInstance();
        provider.create(new ConfigKey.Values(Map.of()))
                .bind(new ScriptedPool("orders"))
                .unbind();
    }
}
