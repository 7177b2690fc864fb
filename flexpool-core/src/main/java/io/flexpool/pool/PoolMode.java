// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import io.flexpool.internal.shared.PlainText;
import java.util.Locale;

/** What flexpool does by itself about a pool's size. Can be switched at run time: {@code PoolControl.mode}. */
public enum PoolMode {
    /** Only measures: nothing limits the pool, no strategy is asked, and its sizes are its own. */
    MONITOR,
    /**
     * Measures, and reports the first step that the sizing controller would take, once an episode and unverified. Strategies
     * that the user added act; a pool without any is left exactly as it is.
     */
    OBSERVE,
    /**
     * The sizing controller alone moves the lease limit, between its minimum and the ceiling. Strategies are asked, and act, but
     * what they would grow is refused.
     */
    ACT;

    /**
     * As properties and the endpoint write it.
     *
     * @return for example {@code observe}
     */
    public String word() {
        return PlainText.word(this);
    }

    /**
     * The mode of a word.
     *
     * @param word {@code monitor}, {@code observe} or {@code act}, whatever the case
     * @return the mode
     * @throws IllegalArgumentException naming what is allowed
     */
    public static PoolMode of(String word) {
        String upper = word.strip().toUpperCase(Locale.ROOT);
        for (PoolMode mode : values()) {
            if (mode.name().equals(upper)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("mode = " + PlainText.line(word) + ": must be monitor, observe or act");
    }
}
