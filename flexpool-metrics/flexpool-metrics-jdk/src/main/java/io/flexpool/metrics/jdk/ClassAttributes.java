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
     * The number of connections guaranteed to the class.
     *
     * @return 0 without a guarantee
     */
    int getGuaranteed();

    /**
     * The maximum number of connections of the class.
     *
     * @return null without a maximum
     */
    @Nullable
    Integer getMax();

    /**
     * The waits of successful requests of the class; 0 for requests served at once.
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
