// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

import io.flexpool.benchmarks.kit.NameConverter;
import java.util.Locale;

/** What is compared. All run on HikariCP over the same stub driver. */
public enum Variant {
    /** HikariCP alone: what all others are compared with. */
    BARE,
    /** HikariCP alone once more: its difference to {@link #BARE} is the noise of the method. */
    CONTROL,
    /** The floor: delegates that only pass on. */
    IDEAL_DELEGATES,
    /** flexpool. Watched or bound is all the same here: the gate is passed before the first statement. */
    FLEXPOOL;

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
