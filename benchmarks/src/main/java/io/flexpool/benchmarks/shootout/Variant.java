// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.fasterxml.jackson.annotation.JsonValue;
import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What stands around a pool. */
@SuppressWarnings("ImmutableEnumChecker") // the keys are never written
public enum Variant {
    /** Nothing. */
    BARE(null),
    /** flexpool, which limits: as many as the pool's max get through its gate, others wait there. */
    FLEXPOOL(Map.of("base", Sizes.MAX, "acquisition-timeout", Sizes.TIMEOUT)),
    /** flexpool, which only watches. */
    FLEXPOOL_WATCHED(Map.of());

    private final @Nullable Map<String, ?> keys;

    Variant(@Nullable Map<String, ?> keys) {
        this.keys = keys;
    }

    /**
     * Puts it around a pool.
     *
     * @param pool an unused pool
     * @return what cycles use, and what closes both
     */
    OpenPool around(OpenPool pool) throws SQLException {
        return keys == null ? pool : pool.inFlexPool("shoot-out", keys);
    }

    /** The name on the command line and in reports. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
