// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The action of the sizing controller on a pool's size. Can be switched at run time:
 * {@link io.flexpool.monitoring.PoolControl#mode(PoolMode)}.
 *
 * <p>The mode controls flexpool's automatic actions. Limits and strategies are configured by the user: they hold in
 * {@link #RECOMMEND} and {@link #ADAPT}, and are suspended in {@link #MONITOR}.
 */
public enum PoolMode {
    /** Only measures. Configured limits and strategies are suspended: the pool keeps its configured sizes. */
    MONITOR,
    /**
     * Recommends: once per episode with waiting requests, the controller reports the first step that it would take,
     * unverified. It changes nothing. Configured limits and strategies hold; a pool without them stays unchanged.
     */
    RECOMMEND,
    /**
     * Adapts: the controller alone moves the lease limit, between its minimum and the ceiling. Strategies are
     * consulted, but growth that they request is refused.
     */
    ADAPT;

    private static final Map<String, PoolMode> FORMER = Map.of("observe", RECOMMEND, "act", ADAPT);

    /** {@return the mode as properties and the endpoint write it, for example {@code recommend}} */
    @Override
    public String toString() {
        return Words.word(this);
    }

    /**
     * The mode of a word.
     *
     * @param word {@code monitor}, {@code recommend} or {@code adapt}, in upper or lower case
     * @return the mode
     * @throws RefusedValueException for any other word, naming the allowed words; for a former word, the current one
     */
    public static PoolMode of(String word) {
        Objects.requireNonNull(word, "word is null");
        String lower = word.strip().toLowerCase(Locale.ROOT);
        for (PoolMode mode : values()) {
            if (mode.toString().equals(lower)) {
                return mode;
            }
        }
        PoolMode renamed = FORMER.get(lower);
        String rule = "must be monitor, recommend or adapt";
        throw new RefusedValueException(
                "mode",
                PlainText.line(word),
                renamed == null ? rule : rule + "; " + lower + " is now " + renamed.toString());
    }
}
