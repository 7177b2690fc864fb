// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.util.Locale;

/**
 * What a member says once a second.
 *
 * @param member its number
 * @param demand how many connections its requests need
 * @param served how many they in use of the second
 * @param allowed how many it may have open
 */
record Said(int member, int demand, double served, int allowed) {
    String line() {
        return String.format(Locale.ROOT, "%d %d %.2f %d", member, demand, served, allowed);
    }

    static Said of(String line) {
        String[] words = line.split(" ", 4);
        return new Said(
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Integer.parseInt(words[3]));
    }

    /** Connections that its requests needed and did not have. */
    double unmet() {
        return Math.max(0, demand - served);
    }

    /** Whether it had less than its fair share, or than it needs; half a connection less is no less. */
    boolean below(int share) {
        return served + 0.5 < Math.min(demand, share);
    }
}
