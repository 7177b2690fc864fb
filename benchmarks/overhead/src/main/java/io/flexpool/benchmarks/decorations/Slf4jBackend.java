// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.CyclicBufferAppender;
import io.flexpool.metrics.slf4j.Slf4jMetrics;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * flexpool's lines in a log. It writes by itself, on its own thread, every second instead of every minute; its
 * lines are kept in memory, because a console's time is not what is measured.
 */
public final class Slf4jBackend {
    private static final String LOGGER = "io.flexpool.benchmarks.kept";
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
        return new Backend(
                Slf4jMetrics.create().every(PERIOD).logger(LOGGER),
                lines::getLength,
                () -> logger.detachAppender(lines));
    }
}
