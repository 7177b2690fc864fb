// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;

/** Has each pool remember its last hour. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class HistoryPartProvider implements PoolPartProvider {
    /** For the service loader. */
    public HistoryPartProvider() {}

    @Override
    public String name() {
        return "history";
    }

    /** Before the parts that may be slow: a sample is of the time of its tick. */
    @Override
    public int order() {
        return -10;
    }

    @Override
    public PoolPart create(PartContext context) {
        return new LastHour(context);
    }
}
