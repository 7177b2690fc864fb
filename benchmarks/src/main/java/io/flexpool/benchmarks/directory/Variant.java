// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import java.util.Locale;

/** What stands around a pool, how large it is and how patient. */
public enum Variant {
    /** The pool alone, as large as the base, with its acquisition timeout. */
    BARE("at the base, with the timeout"),
    /** The pool alone, opening what it needs from the base to the ceiling by itself, with its acquisition timeout. */
    BARE_GROWING("from the base to the ceiling by itself, with the timeout"),
    /** The pool alone, as large as the base, with the whole deadline: what patience alone would do. */
    BARE_SAME_DEADLINE("at the base, with the deadline"),
    /** The pool alone, as large as the ceiling, with the whole deadline: what connections alone would do. */
    BARE_CEILING("at the ceiling, with the deadline"),
    /** The pool in flexpool, growing for those who wait from the base to the ceiling, within the deadline, and back. */
    WRAPPED("in flexpool: from the base to the ceiling for those who wait, within the deadline");

    private final String words;

    Variant(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
