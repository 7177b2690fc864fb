// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import org.jspecify.annotations.Nullable;

/**
 * One class of a pool's requests, in {@link PoolMXBean#getClasses()}. The names are JMX's, so these accessors begin with
 * {@code get}. Immutable.
 */
public interface ClassAttributes {
    /**
     * The name of the class.
     *
     * @return as configured
     */
    String getName();

    /**
     * The connections that the class holds.
     *
     * @return never negative
     */
    int getUsed();

    /**
     * The requests of the class that wait for a permit.
     *
     * @return never negative
     */
    int getWaiting();

    /**
     * The connections that the class gets before others.
     *
     * @return 0 if it has no guarantee
     */
    int getGuaranteed();

    /**
     * The connections that the class ever has at once.
     *
     * @return null for any number
     */
    @Nullable
    Integer getMax();

    /**
     * How long successful requests of the class waited; 0 of those that were answered at once.
     *
     * @return never null
     */
    PoolMXBean.Durations getWait();

    /**
     * The requests of the class that got no connection in time, since the pool was wrapped.
     *
     * @return never negative
     */
    long getTimeouts();

    /**
     * The requests of the class that were shed because it was overloaded, since the pool was wrapped.
     *
     * @return never negative
     */
    long getShed();
}
