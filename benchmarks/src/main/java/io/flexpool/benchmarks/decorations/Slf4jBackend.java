// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.CyclicBufferAppender;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import org.slf4j.LoggerFactory;

/**
 * flexpool's lines in a log. It writes by itself, on its own thread, every second instead of every minute; its
 * lines are kept in memory, because a console's time is not what is measured.
 */
public final class Slf4jBackend {
    private static final String LOGGER = "io.flexpool.summary";
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private Slf4jBackend() {}

    /**
     * With a summary every second.
     *
     * @return the backend, with its own appender
     */
    public static Backend create() {
        Logger logger = (Logger) LoggerFactory.getLogger(LOGGER);
        CyclicBufferAppender<ILoggingEvent> lines = new CyclicBufferAppender<>();
        lines.setContext(logger.getLoggerContext());
        lines.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(lines);
        return new Backend(binder(), lines::getLength, () -> logger.detachAppender(lines));
    }

    /** As core makes it from properties. */
    private static MetricsBinder binder() {
        return ServiceLoader.load(MetricsProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals("slf4j"))
                .findFirst()
                .orElseThrow()
                .create(new ConfigKey.Values(Map.of("period", PERIOD)));
    }
}
