// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limiter.AbstractPartitionedLimiter;

/** Netflix's limiter with partitions, with as many permits as there are connections. */
final class PartitionedLimiter extends AbstractPartitionedLimiter<Ask> {
    private PartitionedLimiter(Builder builder) {
        super(builder);
    }

    private static final class Builder extends AbstractPartitionedLimiter.Builder<Builder, Ask> {
        @Override
        protected Builder self() {
            return this;
        }
    }

    static PartitionedLimiter of(Shape shape) {
        Builder builder =
                new Builder().limit(FixedLimit.of(shape.connections())).partitionResolver(shape::part);
        shape.parts().forEach(builder::partition);
        return new PartitionedLimiter(builder);
    }
}
