// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The gauges and counters of one pool, recorded periodically. */
@Name(PoolFigures.NAME)
@Label("Pool Figures")
@Description("The gauges of a pool, and its counters since it was wrapped")
@Period("10 s")
@StackTrace(false)
final class PoolFigures extends StateEvent {
    static final String NAME = "flexpool.PoolFigures";

    @Label("Active, Mean")
    @Description("Connections in use over the last minute, weighted by time")
    final double activeMean;

    @Label("Active, Peak")
    @Description("The most connections in use at once in the last minute")
    final int activePeak;

    @Label("Pending")
    final int pending;

    @Label("Pending, Peak")
    @Description("The most requests pending at once in the last minute")
    final int pendingPeak;

    @Label("Saturation")
    @Description("Connections in use plus pending requests, divided by the limit; -1 if unknown")
    final double saturation;

    @Label("Scale-Out Helps")
    @Description("1 if more instances can help; 0 while requests wait or fail for another reason")
    final int scaleOutHelps;

    @Label("Effective Limit")
    @Description("The limit; without one, the pool's max size")
    final int effectiveLimit;

    @Label("Pool Min Idle")
    final int minIdle;

    @Label("Timeouts")
    final long timeouts;

    @Label("Growths")
    final long growths;

    @Label("Shrinks")
    final long shrinks;

    @Label("Refused Growths")
    final long refusedGrowths;

    @Label("Connect Failures")
    final long connectFailures;

    @Label("Leaks Suspected")
    final long leaksSuspected;

    @Label("Nested Acquisitions")
    final long nestedAcquisitions;

    @Label("Listener Errors")
    final long listenerErrors;

    @Label("Events Dropped")
    @Description("Events that were not delivered because a listener blocked")
    final long eventsDropped;

    @Label("Tick Age")
    @Description("Time since flexpool last read the pool's state")
    @Timespan
    final long tickAge;

    @Label("Trouble")
    @Description("1 while a part of flexpool hangs, fails or is off after a failure")
    final int trouble;

    PoolFigures(String pool, PoolReading reading) {
        super(pool, reading.state());
        this.activeMean = reading.gauge(PoolMetric.ACTIVE_MEAN);
        this.activePeak = orUnknown(reading, PoolMetric.ACTIVE_PEAK);
        this.pending = orUnknown(reading, PoolMetric.PENDING);
        this.pendingPeak = orUnknown(reading, PoolMetric.PENDING_PEAK);
        double demand = reading.gauge(PoolMetric.SATURATION);
        this.saturation = Double.isNaN(demand) ? -1 : demand;
        this.scaleOutHelps = orUnknown(reading, PoolMetric.SCALE_OUT_HELPS);
        this.effectiveLimit = orUnknown(reading, PoolMetric.LIMIT);
        this.minIdle = orUnknown(reading, PoolMetric.MIN_IDLE);
        this.timeouts = reading.counter(PoolMetric.TIMEOUTS);
        this.growths = reading.counter(PoolMetric.GROWTHS);
        this.shrinks = reading.counter(PoolMetric.SHRINKS);
        this.refusedGrowths = reading.counter(PoolMetric.REFUSED_GROWTHS);
        this.connectFailures = reading.counter(PoolMetric.CONNECT_FAILURES);
        this.leaksSuspected = reading.counter(PoolMetric.LEAKS_SUSPECTED);
        this.nestedAcquisitions = reading.counter(PoolMetric.NESTED_ACQUISITIONS);
        this.listenerErrors = reading.counter(PoolMetric.LISTENER_ERRORS);
        this.eventsDropped = reading.counter(PoolMetric.EVENTS_DROPPED);
        this.tickAge = reading.housekeeping().tickAge().toNanos();
        this.trouble = orUnknown(reading, PoolMetric.TROUBLE);
    }

    private static int orUnknown(PoolReading reading, PoolMetric gauge) {
        double now = reading.gauge(gauge);
        return Double.isNaN(now) ? -1 : (int) now;
    }
}
