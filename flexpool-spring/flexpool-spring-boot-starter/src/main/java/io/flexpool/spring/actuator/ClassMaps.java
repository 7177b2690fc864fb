// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.monitoring.ClassFigures;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolClassState;
import java.util.LinkedHashMap;
import java.util.Map;

/** The classes of a pool's requests, as plain maps. */
final class ClassMaps {
    /** What counts for a request that was answered at once. */
    private static final long AT_ONCE_NANOS = 1;

    private ClassMaps() {}

    /** Nothing is added of a pool with one class for all. */
    static void add(Map<String, Object> shown, PoolView pool) {
        if (!pool.classes().isEmpty()) {
            shown.put("classes", pool.classFigures().stream().map(ClassMaps::of).toList());
        }
    }

    private static Map<String, Object> of(ClassFigures figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        PoolClassState state = figures.state();
        shown.put("name", state.name());
        shown.put("guaranteed", state.guaranteed());
        state.most().ifPresent(most -> shown.put("most", most));
        shown.put("held", state.held());
        shown.put("waiting", state.waiting());
        shown.put("acquired", figures.waits().count());
        shown.put("timeouts", figures.timeouts());
        shown.put("shed", figures.shed());
        HistogramSnapshot recent = figures.recentWaits();
        if (recent.count() > 0) {
            long nanos = recent.percentileNanos(0.99);
            shown.put("recentWaitP99Millis", nanos <= AT_ONCE_NANOS ? 0.0 : FigureMaps.millis(nanos));
        }
        return shown;
    }
}
