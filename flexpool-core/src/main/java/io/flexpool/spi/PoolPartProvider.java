// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Creates a part for each pool. Found by {@link java.util.ServiceLoader}, from flexpool's class loader and the
 * thread's; needs a public constructor without arguments. If two providers have one name, the first is used. A provider
 * that throws when it is loaded, or lacks its library, is left out. Implementations are thread-safe and have no state
 * of a pool.
 */
public interface PoolPartProvider {
    /**
     * {@return the name of the feature in logs and troubles: lower case letters, digits and hyphens, for example {@code advisor}}
     */
    String name();

    /**
     * The part's position among the parts: lower positions are called first in each tick and closed last. Parts with
     * the same position are called in the order of their names.
     *
     * @return the position, 0 by default
     */
    default int order() {
        return 0;
    }

    /**
     * The keys of the part. They are read, validated, documented and completed in editors like core's keys, in every framework.
     *
     * @return the keys in the order of the documentation; a part with the name of a key of core or of another part is
     *     left out
     */
    default List<PartKey<?>> keys() {
        return List.of();
    }

    /**
     * Whether the part needs a pool that flexpool limits, as configured.
     *
     * @param settings what is configured for one pool
     * @return false by default
     */
    default boolean limits(PartSettings settings) {
        return false;
    }

    /**
     * The cap of the pool's limit until the part's first tick; see {@link PoolLimit#cap}. Only for a pool that the part
     * {@linkplain #limits limits}.
     *
     * @param settings what is configured for one pool
     * @return at least 1; empty by default
     */
    default OptionalInt firstCap(PartSettings settings) {
        return OptionalInt.empty();
    }

    /**
     * Checks combinations of values. Each value has already been checked against its key's range.
     *
     * @param settings what is configured for one pool
     * @param refusals collects the problems, which are refused together
     */
    default void check(PartSettings settings, PartSettings.Refusals refusals) {}

    /**
     * Creates the part of a pool that is being wrapped. Must not connect or block, except to validate a value, and then for a few
     * seconds at most.
     *
     * @param context the pool
     * @return the part; null if the part is not needed for this pool
     * @throws IllegalArgumentException if the configuration is refused; the message names key, value and allowed
     *     values. After any other exception the pool is built without the part, which is logged and shown as a trouble
     */
    @Nullable
    PoolPart create(PartContext context);
}
