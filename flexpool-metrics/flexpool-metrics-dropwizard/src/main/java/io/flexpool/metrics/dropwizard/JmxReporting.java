// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PoolMetric;
import java.lang.management.ManagementFactory;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/** Shows one pool's metrics as MBeans. The only class that uses metrics-jmx, which is optional: loaded on demand. */
final class JmxReporting {
    private static final String DOMAIN = "flexpool";

    private JmxReporting() {}

    /** Whether no other pool has MBeans under the prefix: one in another registry may. */
    static boolean isFree(String prefix) {
        // One figure is enough: every pool has it, and the reporter may have quoted the name.
        String figure = MetricRegistry.name(prefix, PoolMetric.ACTIVE.shortName());
        try {
            return ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName(DOMAIN + ":*"), null).stream()
                    .map(name -> name.getKeyProperty("name"))
                    .noneMatch(name -> name != null && unquoted(name).equals(figure));
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException("the pattern is a constant", e);
        }
    }

    static Binding start(MetricRegistry registry, RegisteredMetrics metrics) {
        JmxReporter reporter = JmxReporter.forRegistry(registry)
                .inDomain(DOMAIN)
                .filter(metrics)
                .build();
        reporter.start();
        return reporter::stop;
    }

    private static String unquoted(String name) {
        return name.startsWith("\"") ? ObjectName.unquote(name) : name;
    }
}
