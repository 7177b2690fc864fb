// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;

/** Adds the history of the last hour to each pool. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class HistoryPartProvider implements PoolPartProvider {
    /** Called by the service loader. */
    public HistoryPartProvider() {}

    @Override
    public String name() {
        return "history";
    }

    /** Before parts that may be slow, so that a sample is not late. */
    @Override
    public int order() {
        return -10;
    }

    @Override
    public PoolPart create(PartContext context) {
        return new LastHour(context);
    }
}
