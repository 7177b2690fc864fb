// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records each call into histograms of the API, on the calling thread. Thread-safe. */
final class CallHistograms implements LeaseObserver {
    private final DoubleHistogram waits;
    /** Null if the agent records them. */
    private final @Nullable DoubleHistogram uses;

    /** One attribute set per outcome. */
    private final Map<AcquisitionOutcome, Attributes> byOutcome = new EnumMap<>(AcquisitionOutcome.class);

    private final Attributes ofLeases;

    CallHistograms(Meter meter, String pool, AgentSeries agent) {
        String waitTime = agent.name(PoolMetric.ACQUISITION);
        this.waits = histogram(
                meter, PoolMetric.ACQUISITION, waitTime == null ? PoolMetric.ACQUISITION.conventionName() : waitTime);
        String useTime = agent.name(PoolMetric.LEASE);
        this.uses = useTime == null ? null : histogram(meter, PoolMetric.LEASE, useTime);
        this.ofLeases = Conventions.attributes(pool, PoolMetric.LEASE, AcquisitionOutcome.OK);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            byOutcome.put(outcome, Conventions.attributes(pool, PoolMetric.ACQUISITION, outcome));
        }
    }

    /** A histogram of seconds, with the buckets advised by the conventions. */
    static DoubleHistogram histogram(Meter meter, PoolMetric metric, String name) {
        return meter.histogramBuilder(name)
                .setUnit(metric.unit().ucum())
                .setDescription(Conventions.description(metric))
                .setExplicitBucketBoundariesAdvice(Conventions.ADVISED_BUCKETS)
                .build();
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        Attributes attributes = byOutcome.getOrDefault(outcome, ofLeases);
        waits.record(Conventions.seconds(endedNanos - requestedNanos), attributes);
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {
        if (uses != null) {
            uses.record(Conventions.seconds(releasedNanos - acquiredNanos), ofLeases);
        }
    }
}
