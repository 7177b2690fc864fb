// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;

/** Adds advice to each wrapped pool. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class AdvicePartProvider implements PoolPartProvider {
    static final PartKey<Boolean> ADVICE =
            PartKey.flag("advice", true, "Whether flexpool calculates how many connections the pool needs.");

    /** Called by the service loader. */
    public AdvicePartProvider() {}

    @Override
    public String name() {
        return "advisor";
    }

    @Override
    public int order() {
        return 80;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(ADVICE);
    }

    @Override
    public PoolPart create(PartContext context) {
        return new AdvicePart(context, context.settings().need(ADVICE) ? new LiveAdvisor() : null);
    }
}
