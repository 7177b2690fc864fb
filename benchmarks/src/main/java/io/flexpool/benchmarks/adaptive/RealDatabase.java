// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.kit.NameConverter;
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

    /** Reads a database's name. */
    public static final class Converter extends NameConverter<RealDatabase> {
        /** Made by the command line parser. */
        public Converter() {
            super(RealDatabase.class);
        }
    }
}
