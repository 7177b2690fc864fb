// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.List;
import java.util.Map;

/**
 * What one part of flexpool shows of a pool, for backends and frameworks, which need not know the part. Never throws. Thread-safe.
 * Made by flexpool alone; minor releases add methods.
 */
public interface PartView {
    /** {@return the name of the feature, for example {@code advisor}} */
    String name();

    /** {@return its metrics; always the same ones, unmodifiable} */
    List<PartMetric> metrics();

    /** {@return its lines in the report; without line breaks} */
    List<String> reportLines();

    /** {@return its fields in the actuator's endpoint and other JSON, by name, in their order} */
    Map<String, Object> fields();

    /** {@return what it shows in one text each, by name: lower case words with dots between} */
    Map<String, String> texts();

    /** {@return its details in the pool's health, by name} */
    default Map<String, String> health() {
        return Map.of();
    }
}
