// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The events of a logger. */
final class Log extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<ILoggingEvent> logged = new CopyOnWriteArrayList<>();
    private final Logger logger;

    Log(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        logged.add(event);
    }

    List<String> lines(Level level) {
        return logged.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    void forget() {
        logged.clear();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
    }
}
