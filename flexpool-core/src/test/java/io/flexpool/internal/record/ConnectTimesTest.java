// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.ConnectTotals;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectTimesTest {
    private final PoolAdapter adapter = mock(PoolAdapter.class);
    private final Recorder recorder = new Recorder();
    private final ConnectTimes connects = new ConnectTimes(adapter, recorder);

    private HistogramSnapshot after(long count, long sumNanos) {
        when(adapter.connects()).thenReturn(new ConnectTotals(count, Duration.ofNanos(sumNanos)));
        connects.update();
        ManualTicker ticker = new ManualTicker();
        return new StatisticsHistory(recorder, () -> 0, ticker.nanos(), Long.MAX_VALUE)
                .statistics(ticker.nanos())
                .total()
                .durations(PoolMetric.CONNECT, AcquisitionOutcome.OK);
    }

    @Test
    void severalAtOnceShareTheirMean() {
        HistogramSnapshot seen = after(4, 4_000_000);
        assertThat(seen.count()).isEqualTo(4);
        assertThat(seen.maxNanos()).isEqualTo(1_000_000);
    }

    @Test
    void onlyWhatCameSinceIsRecorded() {
        after(4, 4_000_000);
        assertThat(after(4, 4_000_000).count()).isEqualTo(4);
        HistogramSnapshot seen = after(5, 13_000_000);
        assertThat(seen.count()).isEqualTo(5);
        assertThat(seen.maxNanos()).isEqualTo(9_000_000);
    }

    @Test
    void aRestartedPoolBeginsAnew() {
        after(4, 4_000_000);
        assertThat(after(1, 1_000_000).count()).isEqualTo(4);
        assertThat(after(2, 3_000_000).count()).isEqualTo(5);
    }

    @Test
    void aThousandAtOnceAreASample() {
        assertThat(after(5_000, 5_000_000).count()).isEqualTo(1_000);
    }
}
