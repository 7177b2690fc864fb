// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.Locale;

/** The pools that can be sized. */
public enum RealPool {
    /** HikariCP. */
    HIKARICP;

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
