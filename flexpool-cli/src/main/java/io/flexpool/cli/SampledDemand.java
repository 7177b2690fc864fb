// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.List;

/**
 * Advice for a pool without flexpool, from sparse data.
 *
 * @param current the current size; 0 if unknown
 * @param connections the recommended size; 0 without one
 * @param paragraph the advice
 * @param unknown the unknown parts, as sentences
 * @param failed the number of failed requests in the source
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
