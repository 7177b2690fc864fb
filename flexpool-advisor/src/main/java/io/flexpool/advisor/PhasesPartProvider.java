// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;

/**
 * Adds the report of time outside the database to each pool. Found by {@link java.util.ServiceLoader}; not meant to be
 * called.
 */
public final class PhasesPartProvider implements PoolPartProvider {
    private static final String TIMED = "time-in-database";

    /** Called by the service loader. */
    public PhasesPartProvider() {}

    @Override
    public String name() {
        return "lease-phases";
    }

    /** After the advice, whose size it explains. */
    @Override
    public int order() {
        return 81;
    }

    @Override
    public PoolPart create(PartContext context) {
        boolean timed = context.settings().words(TIMED).filter("true"::equals).isPresent();
        return new PhasesPart(
                context,
                timed ? new PhaseLog() : null,
                timed ? LazyFetch.of(context.dataSource().getClass().getClassLoader()) : "");
    }
}
