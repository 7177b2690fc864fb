// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.util.Locale;

/** Where the broker keeps its messages. Its text is the name on the command line and in reports. */
interface Store {
    /** What stands behind it. Stores of the same scenario differ in it. */
    Backend backend();

    /** The name of an enum's constant on the command line and in reports. */
    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
