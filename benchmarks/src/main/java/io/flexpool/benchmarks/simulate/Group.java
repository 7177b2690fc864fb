// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Locale;

/** The groups of scenarios, each with goals of its own. */
enum Group {
    /** The published ones. */
    PUBLIC,
    /** Those of the kinds that were missing there. */
    NEW,
    /** Those in which the measurement itself is disturbed. */
    HARD,
    /** The published ones on databases drawn at random. */
    NEVER_SEEN,
    /** Drawn at random, of the new kinds. */
    NEW_NEVER_SEEN;

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
