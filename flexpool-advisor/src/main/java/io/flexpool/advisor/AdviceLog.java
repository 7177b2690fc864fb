// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
import io.flexpool.pool.PoolMode;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.Texts;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the advice on one pool's size once a day, and when the size has changed by more than a fifth. Logs nothing
 * before an hour and a thousand requests, and nothing in mode adapt, because there the controller sets the limit. Used
 * by one thread at a time.
 */
final class AdviceLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long DAY_NANOS = Duration.ofDays(1).toNanos();
    private static final Duration LEAST_SPAN = Duration.ofHours(1);
    private static final int LEAST_REQUESTS = 1_000;
    private static final double CHANGED = 0.2;

    private final PartContext context;
    /** The last logged size; 0 before the first. */
    private int loggedSize;

    private long loggedNanos;

    AdviceLog(PartContext context) {
        this.context = context;
    }

    void made(SizeAdvice advice, long nowNanos) {
        boolean enough = advice.requests() >= LEAST_REQUESTS && advice.span().compareTo(LEAST_SPAN) >= 0;
        if (!enough || context.pool().mode() == PoolMode.ADAPT) {
            return;
        }
        boolean changed = Math.abs(advice.connections() - loggedSize) > CHANGED * loggedSize;
        if (loggedSize == 0 || changed || nowNanos - loggedNanos >= DAY_NANOS) {
            loggedSize = advice.connections();
            loggedNanos = nowNanos;
            String text = Texts.line(advice.text());
            LOG.info("{}: {}", context.name(), text);
        }
    }
}
