// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.time.Duration;

/** Ctrl-C for tests of other packages. */
public final class Asked {
    private Asked() {}

    /** Asks as the JVM would, and returns when it is asked. */
    public static void of(Interrupt stop) throws InterruptedException {
        new Thread(stop::ask, "ctrl-c").start();
        if (!stop.askedWithin(Duration.ofMinutes(1))) {
            throw new AssertionError("must not be called");
        }
    }
}
