// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.util.Locale;

/** What stands around a pool, and how large it is. */
public enum Variant {
    /** The pool alone, as large as the base, with its acquisition timeout. */
    BARE,
    /** The pool alone, as large as the base, with the whole deadline: what patience alone would do. */
    BARE_SAME_DEADLINE,
    /** The pool alone, as large as the ceiling, with the whole deadline: what connections alone would do. */
    BARE_CEILING,
    /** The pool in FlexyPool, growing on a timeout from the base to the ceiling, then retrying. */
    FLEXYPOOL,
    /** The pool in flexpool, growing for those who wait from the base to the ceiling, within the deadline, and back. */
    FLEXPOOL;

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
