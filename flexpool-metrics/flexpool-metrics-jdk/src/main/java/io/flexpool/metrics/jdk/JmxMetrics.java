// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import javax.management.MBeanServer;

/**
 * Shows pools as MBeans, each as one {@link PoolMXBean} named {@code flexpool:type=Pool,name=orders}; a name that
 * contains {@code , = : " * ?} is quoted. Reads on demand and has no other cost.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(JmxMetrics.create()).build();
 * }</pre>
 *
 * <p>A pool whose name is in use in the MBean server is shown as {@code orders#2} (and so on), which is logged once.
 * When the pool is closed, exactly its MBean is removed.
 *
 * <p>Users who may invoke operations may change a bound pool's limits. Immutable and thread-safe; one instance may
 * serve many pools. Needs the JDK's module {@code java.management}.
 */
public final class JmxMetrics implements MetricsBinder {
    private final MBeanServer server;

    private JmxMetrics(MBeanServer server) {
        this.server = server;
    }

    /**
     * Shows pools in the platform's MBean server, which JConsole and agents read.
     *
     * @return a binder for any number of pools
     */
    public static JmxMetrics create() {
        return into(ManagementFactory.getPlatformMBeanServer());
    }

    /**
     * Shows pools in another MBean server.
     *
     * @param server the server to register in
     * @return a binder for any number of pools
     */
    public static JmxMetrics into(MBeanServer server) {
        return new JmxMetrics(Objects.requireNonNull(server, "server"));
    }

    /**
     * Registers a pool's MBean. Thread-safe.
     *
     * @param pool the pool to read and, if it is a {@link io.flexpool.monitoring.PoolControl}, to change
     * @return removes exactly that MBean; further calls have no effect
     * @throws IllegalStateException if the MBean server refuses the MBean
     */
    @Override
    public Binding bind(PoolView pool) {
        return RegisteredPool.register(pool, server)::remove;
    }
}
