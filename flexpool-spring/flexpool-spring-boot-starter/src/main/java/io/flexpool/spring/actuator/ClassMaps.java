// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts the classes of a pool to plain maps. */
final class ClassMaps {
    /** The recorded wait of a request that was served at once. */
    private static final long AT_ONCE_NANOS = 1;

    private ClassMaps() {}

    /** Adds the classes; nothing for a pool without classes. */
    static void add(Map<String, Object> shown, PoolView pool) {
        List<RequestClass> classes = pool.classes();
        if (!classes.isEmpty()) {
            shown.put("classes", classes.stream().map(ClassMaps::of).toList());
        }
    }

    private static Map<String, Object> of(RequestClass figures) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", figures.name());
        shown.put("guaranteed", figures.guaranteed());
        figures.max().ifPresent(max -> shown.put("max", max));
        shown.put("leased", figures.leased());
        shown.put("waiting", figures.waiting());
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
