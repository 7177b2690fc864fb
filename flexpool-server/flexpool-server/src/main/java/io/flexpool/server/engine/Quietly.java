// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.PartContext;

/** Logs without passing on exceptions of an appender. */
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
