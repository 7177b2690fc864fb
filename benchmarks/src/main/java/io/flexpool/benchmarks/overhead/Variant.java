// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.NameConverter;
import java.util.Locale;

/** What is compared. All run on HikariCP over the same stub driver. */
public enum Variant {
    /** HikariCP alone: what all others are compared with. */
    BARE,
    /** HikariCP alone once more: its difference to {@link #BARE} is the noise of the method. */
    CONTROL,
    /** The hand-written floor: its difference to {@link #BARE} is the unit. */
    IDEAL,
    /** flexpool that only watches: the gate is open. */
    FLEXPOOL_WATCHED,
    /** flexpool with a base, growth and retry: the gate limits. */
    FLEXPOOL_BOUND;

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Reads a variant's name. */
    public static final class Converter extends NameConverter<Variant> {
        /** Made by the command line parser. */
        public Converter() {
            super(Variant.class);
        }
    }
}
