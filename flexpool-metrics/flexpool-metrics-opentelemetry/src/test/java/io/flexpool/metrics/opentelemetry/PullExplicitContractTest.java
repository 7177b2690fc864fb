// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

class PullExplicitContractTest extends PullContractTest {
    @Override
    PoolMetricProducer producer() {
        return PoolMetricProducer.explicitBuckets();
    }
}
