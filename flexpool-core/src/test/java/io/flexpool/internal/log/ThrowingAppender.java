// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/** An appender that always throws, like a broken one. */
final class ThrowingAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public void doAppend(ILoggingEvent event) {
        calls.incrementAndGet();
        throw new IllegalStateException("the disk is full");
    }

    @Override
    protected void append(ILoggingEvent event) {
        throw new UnsupportedOperationException();
    }

    int called() {
        return calls.get();
    }

    void attach(String logger) {
        ((Logger) LoggerFactory.getLogger(logger)).addAppender(this);
    }

    void detach(String logger) {
        ((Logger) LoggerFactory.getLogger(logger)).detachAppender(this);
    }
}
