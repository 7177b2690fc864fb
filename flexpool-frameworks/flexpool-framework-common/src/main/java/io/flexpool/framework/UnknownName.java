// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

/** The name of a key's section that no data source or pool has. Immutable. */
public final class UnknownName {
    private final String name;
    private final WrittenKey key;
    private final boolean slip;

    UnknownName(String name, WrittenKey key, boolean slip) {
        this.name = name;
        this.key = key;
        this.slip = slip;
    }

    /**
     * The name as written.
     *
     * @return the name of a pool or data source
     */
    public String name() {
        return name;
    }

    /**
     * Whether the name resembles a known one.
     *
     * @return true if it is probably misspelt
     */
    public boolean slip() {
        return slip;
    }

    /**
     * A refusal, in one line.
     *
     * @param rule the violated rule, with the known names
     * @return key, value, rule and origin
     */
    public String refused(String rule) {
        return key.refused(rule);
    }
}
