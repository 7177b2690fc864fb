// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.fasterxml.jackson.annotation.JsonValue;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.util.Locale;
import javax.sql.DataSource;

/** What stands around a pool. */
public enum Variant {
    /** Nothing. */
    BARE {
        @Override
        OpenPool around(OpenPool pool) {
            return pool;
        }
    },
    /** flexpool, which limits: as many as the pool's max get through its gate, others wait there. */
    FLEXPOOL {
        @Override
        OpenPool around(OpenPool pool) {
            FlexPoolDataSource wrapped = FlexPool.wrap(pool.source())
                    .name("shoot-out")
                    .set("base", Sizes.MAX)
                    .set("acquisition-timeout", Sizes.TIMEOUT)
                    .build();
            return closingBoth(wrapped, pool);
        }
    },
    /** flexpool, which only watches. */
    FLEXPOOL_WATCHED {
        @Override
        OpenPool around(OpenPool pool) {
            FlexPoolDataSource wrapped =
                    FlexPool.wrap(pool.source()).name("shoot-out").build();
            return closingBoth(wrapped, pool);
        }
    };

    /**
     * Puts it around a pool.
     *
     * @param pool an unused pool
     * @return what cycles use, and what closes both
     */
    abstract OpenPool around(OpenPool pool);

    /** The pool's own close too, for it may do more; closing a closed pool does nothing. */
    private static OpenPool closingBoth(FlexPoolDataSource wrapped, OpenPool pool) {
        return new OpenPool((DataSource) wrapped, () -> {
            wrapped.close();
            pool.close();
        });
    }

    /** The name on the command line and in reports. */
    @Override
    @JsonValue
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
