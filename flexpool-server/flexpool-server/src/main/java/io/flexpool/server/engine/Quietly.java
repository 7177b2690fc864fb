// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.PartContext;

/** Logs for which nothing ends: an appender may throw. */
final class Quietly {
    private Quietly() {}

    static void log(PartContext pool, Runnable line) {
        try {
            line.run();
        } catch (RuntimeException | Error thrown) {
            pool.failed("the log appender", thrown);
        }
    }
}
