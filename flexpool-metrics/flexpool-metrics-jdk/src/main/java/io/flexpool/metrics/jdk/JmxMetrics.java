// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import javax.management.MBeanServer;

/**
 * Shows pools as MBeans, each as one {@link PoolMXBean} named {@code flexpool:type=Pool,name=orders}; a name with
 * {@code , = : " * ?} in it is quoted. Reads when it is asked and costs nothing else.
 *
 * <pre>{@code
 * FlexPool.wrap(hikari).name("orders").metrics(JmxMetrics.create()).build();
 * }</pre>
 *
 * <p>A pool whose name is taken in the MBean server is shown as {@code orders#2} (and so on), which the log says once.
 * When the pool is closed, exactly its MBean is removed.
 *
 * <p>Whoever may invoke operations may move a bound pool's limits. Immutable and thread-safe; one instance may serve many
 * pools. Needs the JDK's module {@code java.management}.
 */
public final class JmxMetrics implements MetricsBinder {
    private final MBeanServer server;

    private JmxMetrics(MBeanServer server) {
        this.server = server;
    }

    /**
     * Shows pools in the platform's MBean server, where JConsole and agents look.
     *
     * @return a binder for any number of pools
     */
    public static JmxMetrics create() {
        return into(ManagementFactory.getPlatformMBeanServer());
    }

    /**
     * Shows pools in another MBean server.
     *
     * @param server where to register
     * @return a binder for any number of pools
     */
    public static JmxMetrics into(MBeanServer server) {
        return new JmxMetrics(Objects.requireNonNull(server, "server"));
    }

    /**
     * Registers a pool's MBean. Thread-safe.
     *
     * @param pool what to read, and, if it is a {@link io.flexpool.monitoring.PoolControl}, to change
     * @return removes just that MBean; may be called again without effect
     * @throws IllegalStateException if the MBean server refuses the MBean
     */
    @Override
    public Binding bind(PoolView pool) {
        return RegisteredPool.register(pool, server)::remove;
    }
}
