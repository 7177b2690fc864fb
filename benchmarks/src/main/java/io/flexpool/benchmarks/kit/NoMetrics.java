// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.vladmihalcea.flexypool.metric.Histogram;
import com.vladmihalcea.flexypool.metric.Metrics;
import com.vladmihalcea.flexypool.metric.Timer;

/** For a FlexyPool that measures nothing: what it measures costs it time. Stateless. */
public final class NoMetrics implements Metrics {
    @Override
    public Histogram histogram(String name) {
        return value -> {};
    }

    @Override
    public Timer timer(String name) {
        return (duration, unit) -> {};
    }

    @Override
    public void start() {}

    @Override
    public void stop() {}
}
