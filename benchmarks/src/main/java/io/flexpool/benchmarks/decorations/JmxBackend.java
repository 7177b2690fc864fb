// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.metrics.jdk.JmxMetrics;
import java.util.Arrays;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** flexpool's figures in an MBean. */
public final class JmxBackend {
    private JmxBackend() {}

    /**
     * In an MBean server like the platform's.
     *
     * @return the backend, with its own server
     */
    public static Backend create() {
        MBeanServer server = MBeanServerFactory.newMBeanServer();
        return Backend.of(JmxMetrics.into(server), () -> read(server));
    }

    /** What an agent that collects reads: all attributes of all of flexpool's beans. */
    private static int read(MBeanServer server) {
        int figures = 0;
        try {
            for (ObjectName bean : server.queryNames(new ObjectName("flexpool:*"), null)) {
                String[] attributes = Arrays.stream(server.getMBeanInfo(bean).getAttributes())
                        .map(MBeanAttributeInfo::getName)
                        .toArray(String[]::new);
                figures += server.getAttributes(bean, attributes).size();
            }
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
        return figures;
    }
}
