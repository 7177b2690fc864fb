// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.flexpool.monitoring.HistogramSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedHistogramTest {
    @Test
    void nothingIsLostUnderConcurrency() throws Exception {
        SharedHistogram histogram = new SharedHistogram();
        List<Thread> threads = new ArrayList<>();
        for (int at = 1; at <= 8; at++) {
            long nanos = at * 1_000L;
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 50_000; round++) {
                    histogram.record(nanos);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        HistogramSnapshot all = histogram.snapshot(histogram.shortest(true), histogram.longest(true));
        assertThat(all.count()).isEqualTo(400_000);
        assertThat(all.sumNanos()).isEqualTo(36L * 1_000 * 50_000);
        assertThat(all.maxNanos()).isEqualTo(8_000);
        assertThat(histogram.count()).isEqualTo(400_000);
        assertThat(histogram.longest(true)).isZero();
    }

    @Test
    void theNumberOfStripesIsAPowerOfTwo() {
        assertThat(Integer.bitCount(StripedCounter.stripes())).isOne();
        assertThat(StripedCounter.stripes()).isBetween(4, 32);
    }

    @Test
    void percentilesAreNearestRankWithinTheBucketError() {
        SharedHistogram histogram = new SharedHistogram();
        for (int at = 1; at <= 1_000; at++) {
            histogram.record(at * 1_000_000L);
        }
        HistogramSnapshot all = histogram.snapshot(histogram.shortest(true), histogram.longest(true));
        for (double quantile : new double[] {0.01, 0.5, 0.9, 0.99, 0.999}) {
            double exact = Math.ceil(quantile * 1_000) * 1_000_000;
            assertThat((double) all.percentileNanos(quantile))
                    .as("p%s", quantile)
                    .isBetween(exact * 0.955, exact * 1.045);
        }
        assertThat(all.percentileNanos(1)).isLessThanOrEqualTo(1_000_000_000L);
        assertThat(all.meanNanos()).isEqualTo(500_500_000.0);
        assertThat(all.stdDevNanos()).isBetween(280e6, 300e6);
    }

    /** 1,000 active connections fill a long of nanoseconds in 106 days; then a sum was negative. */
    @Test
    void theSumGoesOnPastTheEndOfALong() {
        SharedHistogram histogram = new SharedHistogram();
        HistogramSnapshot before = HistogramSnapshot.EMPTY;
        for (int at = 1; at <= 5; at++) {
            histogram.record(Long.MAX_VALUE);
            HistogramSnapshot now = histogram.snapshot();
            assertThat(now.sumSeconds()).isCloseTo(at * (Long.MAX_VALUE / 1e9), withPercentage(1e-9));
            assertThat(now.meanNanos()).isCloseTo(Long.MAX_VALUE, withPercentage(1e-9));
            assertThat(now.sumNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(now.since(before, 0, 0).sumNanos()).isEqualTo(Long.MAX_VALUE);
            assertThat(now.plus(now).sumSeconds()).isGreaterThan(now.sumSeconds());
            before = now;
        }
    }
}
