// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Makes a part for each pool. Found by {@link java.util.ServiceLoader}, from flexpool's class loader and the thread's; needs a
 * public constructor without arguments. If two providers have one name, the first is used. A provider that throws when it is
 * loaded, or whose library is missing, is left out. Implementations are thread-safe and have no state of a pool.
 */
public interface PoolPartProvider {
    /**
     * {@return the name of the feature in logs and troubles: lower case letters, digits and hyphens, for example {@code advisor}}
     */
    String name();

    /**
     * The part's place among the others: lower ones are called first in each tick and closed last. Parts of one place
     * are called in the order of their names.
     *
     * @return 0 by default
     */
    default int order() {
        return 0;
    }

    /**
     * The keys of the part. They are read, validated, documented and completed in editors like core's keys, in every framework.
     *
     * @return in the order in which they are documented; none may have the name of a key of core or of another part, or the part
     *     is left out
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
     * @param refusals takes what is wrong; all of it is refused together
     */
    default void check(PartSettings settings, PartSettings.Refusals refusals) {}

    /**
     * Creates the part of a pool that is being wrapped. Must not connect or block, except to validate a value, and then for a few
     * seconds at most.
     *
     * @param context the pool
     * @return null if the part has nothing to do for this pool
     * @throws IllegalArgumentException if the pool cannot be built with what is configured; the message names key, value and what
     *     is allowed. After any other exception the pool is built without the part, which is logged and shown as a trouble
     */
    @Nullable
    PoolPart create(PartContext context);
}
