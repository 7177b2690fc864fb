// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.List;

/**
 * What little is known of a pool that flexpool has not monitored, and the size that follows from it.
 *
 * @param current today's size; 0 if it is not known
 * @param connections the recommended size; 0 if none follows
 * @param paragraph the advice
 * @param unknown what could not be known, as sentences
 * @param failed requests that got no connection, as far as the source shows them
 */
record SampledDemand(int current, int connections, String paragraph, List<String> unknown, long failed) {
    static final String CONFIDENCE = "Confidence low: ";

    SampledDemand {
        unknown = List.copyOf(unknown);
    }

    SampledDemand(int current, int connections, String paragraph, List<String> unknown) {
        this(current, connections, paragraph, unknown, 0);
    }

    String text() {
        return paragraph + " " + String.join(" ", unknown);
    }
}
