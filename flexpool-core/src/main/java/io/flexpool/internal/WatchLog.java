// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the watchdog has to say, which calls nothing foreign itself: logged by the ticking thread as if it were a pool, so
 * that a log that blocks holds up this one entry of the {@link Housekeeper} and no pool. Thread-safe.
 */
final class WatchLog implements Housekeeper.Watched {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int MOST = 1_000;

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    void add(String line) {
        if (lines.size() < MOST) {
            lines.add(line);
        }
    }

    @Override
    public String name() {
        return "flexpool";
    }

    @Override
    public void beat(long lateNanos) {
        String line;
        while ((line = lines.poll()) != null) {
            LOG.warn("{}", line);
        }
    }

    @Override
    public void leftAlone(boolean alone) {
        // Nothing is read here that could hang.
    }
}
