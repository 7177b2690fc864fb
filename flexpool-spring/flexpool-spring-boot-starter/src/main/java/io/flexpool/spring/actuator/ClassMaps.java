// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolClassState;
import java.util.LinkedHashMap;
import java.util.Map;

/** The classes of a pool's requests, as plain maps. */
final class ClassMaps {
    private ClassMaps() {}

    /** Nothing is added of a pool with one class for all. */
    static void add(Map<String, Object> shown, PoolView pool) {
        if (!pool.classes().isEmpty()) {
            shown.put("classes", pool.classes().stream().map(ClassMaps::of).toList());
        }
    }

    private static Map<String, Object> of(PoolClassState state) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", state.name());
        shown.put("guaranteed", state.guaranteed());
        state.most().ifPresent(most -> shown.put("most", most));
        shown.put("held", state.held());
        shown.put("waiting", state.waiting());
        return shown;
    }
}
