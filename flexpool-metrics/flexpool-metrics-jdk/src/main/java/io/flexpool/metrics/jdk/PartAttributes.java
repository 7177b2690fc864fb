// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/** The attributes of a pool's MBean that its parts add: their metrics, and their texts. Thread-safe. */
final class PartAttributes {
    private final PoolView pool;

    PartAttributes(PoolView pool) {
        this.pool = pool;
    }

    /** A description with these attributes too. */
    MBeanInfo in(MBeanInfo own) {
        List<MBeanAttributeInfo> all = new ArrayList<>(List.of(own.getAttributes()));
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                all.add(readable(name(metric.shortName()), type(metric), metric.meaning()));
            }
            for (String text : part.texts().keySet()) {
                all.add(readable(name(text), String.class, "Text that the module " + part.name() + " reports."));
            }
        }
        return new MBeanInfo(
                own.getClassName(),
                own.getDescription(),
                all.toArray(MBeanAttributeInfo[]::new),
                own.getConstructors(),
                own.getOperations(),
                own.getNotifications(),
                own.getDescriptor());
    }

    private static MBeanAttributeInfo readable(String name, Class<?> type, String meaning) {
        return new MBeanAttributeInfo(name, type.getName(), meaning, true, false, false);
    }

    private static String name(String dotted) {
        return RegisteredPool.camelCase(dotted);
    }

    private static Class<?> type(PartMetric metric) {
        return metric.kind() == PoolMetric.Kind.COUNTER ? Long.class : isWhole(metric) ? Integer.class : Double.class;
    }

    /** Whether a metric has whole numbers: the unit of a count is a name in braces. */
    private static boolean isWhole(PartMetric metric) {
        return metric.unit().startsWith("{");
    }

    /** Whether a part has an attribute of that name. */
    boolean has(String attribute) {
        return pool.parts().stream()
                .anyMatch(part -> metric(part, attribute) != null
                        || part.texts().keySet().stream()
                                .anyMatch(text -> name(text).equals(attribute)));
    }

    /** The attribute's value now; null if there is none. */
    @Nullable
    Object value(String attribute) {
        for (PartView part : pool.parts()) {
            PartMetric metric = metric(part, attribute);
            if (metric != null) {
                return value(metric);
            }
            for (Map.Entry<String, String> text : part.texts().entrySet()) {
                if (name(text.getKey()).equals(attribute)) {
                    return text.getValue();
                }
            }
        }
        return null;
    }

    private static @Nullable PartMetric metric(PartView part, String attribute) {
        return part.metrics().stream()
                .filter(metric -> name(metric.shortName()).equals(attribute))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable Object value(PartMetric metric) {
        double now = metric.value();
        if (Double.isNaN(now)) {
            return null;
        }
        return metric.kind() == PoolMetric.Kind.COUNTER
                ? (Object) (long) now
                : isWhole(metric) ? (Object) (int) now : (Object) now;
    }
}
