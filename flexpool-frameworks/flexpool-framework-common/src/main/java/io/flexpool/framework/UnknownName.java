// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

/** The name in a key's section, if no data source or pool has it. Immutable. */
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
     * @return of a pool or data source
     */
    public String name() {
        return name;
    }

    /**
     * Whether it is nearly a known name.
     *
     * @return true if it is most likely misspelt
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
