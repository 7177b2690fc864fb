// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import java.util.Locale;

/** The databases that can sleep on request. */
public enum RealDatabase {
    /** PostgreSQL over TCP, in its own server. */
    POSTGRES;

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
