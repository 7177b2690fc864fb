// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Snapshot;
import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.DoubleToLongFunction;

/**
 * flexpool's figures as a Dropwizard snapshot. flexpool keeps counts and no single values, so {@link #getValues()}
 * returns the percentiles 0 to 100 instead: quantiles computed from them are nearly the same.
 */
final class ReadSnapshot extends Snapshot {
    static final ReadSnapshot EMPTY = of(CountDistribution.EMPTY);

    private static final int PERCENTILES = 100;

    private final boolean empty;
    private final DoubleToLongFunction percentile;
    private final long min;
    private final long max;
    private final double mean;
    private final double stdDev;

    private ReadSnapshot(
            boolean empty, DoubleToLongFunction percentile, long min, long max, double mean, double stdDev) {
        this.empty = empty;
        this.percentile = percentile;
        this.min = min;
        this.max = max;
        this.mean = mean;
        this.stdDev = stdDev;
    }

    /** In nanoseconds: min, max and mean exact, the others at most 4.5 % off. */
    static ReadSnapshot of(HistogramSnapshot durations) {
        return new ReadSnapshot(
                durations.count() == 0,
                durations::percentileNanos,
                durations.minNanos() == HistogramSnapshot.UNKNOWN ? durations.percentileNanos(0) : durations.minNanos(),
                durations.maxNanos(),
                durations.meanNanos(),
                durations.stdDevNanos());
    }

    /** Exact. */
    static ReadSnapshot of(CountDistribution numbers) {
        return new ReadSnapshot(
                numbers.count() == 0,
                numbers::percentile,
                numbers.percentile(0),
                numbers.max(),
                numbers.mean(),
                numbers.stdDev());
    }

    @Override
    public double getValue(double quantile) {
        return percentile.applyAsLong(quantile);
    }

    @Override
    public long[] getValues() {
        long[] values = new long[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = percentile.applyAsLong((double) at / PERCENTILES);
        }
        return values;
    }

    @Override
    public int size() {
        return empty ? 0 : PERCENTILES + 1;
    }

    @Override
    public long getMax() {
        return max;
    }

    @Override
    public double getMean() {
        return mean;
    }

    @Override
    public long getMin() {
        return min;
    }

    @Override
    public double getStdDev() {
        return stdDev;
    }

    @Override
    public void dump(OutputStream output) {
        // Not closed: the stream belongs to the caller.
        PrintWriter out = new PrintWriter(output, false, StandardCharsets.UTF_8);
        for (long value : getValues()) {
            out.println(value);
        }
        out.flush();
    }
}
