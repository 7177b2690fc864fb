// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatisticsHistoryTest {
    private static final PoolState STATE =
            new StateReader.State(12, 10, 20, 7, 1, 2, 0, Duration.ZERO, new PoolSnapshot(12, 10, 7, 5, 12, 0));

    private final ManualTicker ticker = new ManualTicker();
    private final Recorder recorder = new Recorder();
    private final SlotRecords slot = recorder.add(new SlotRecords());
    private final StatisticsHistory history = new StatisticsHistory(recorder, () -> 0, ticker.nanos(), Long.MAX_VALUE);

    private void live(Duration time, Duration acquisition, int perTick) {
        for (long at = 0; at < time.toMillis(); at += 250) {
            for (int each = 0; each < perTick; each++) {
                slot.acquired(acquisition.toNanos());
                slot.released(acquisition.toNanos());
            }
            ticker.advance(Duration.ofMillis(250));
            history.tick(ticker.nanos(), STATE);
        }
    }

    @Test
    void recentFiguresForgetAllButTheLastMinute() {
        live(Duration.ofHours(1), Duration.ofMillis(1), 50);
        live(Duration.ofSeconds(60), Duration.ofMillis(100), 1);
        PoolStatistics statistics = history.statistics(ticker.nanos());
        assertThat(statistics.recent().acquisition(AcquisitionOutcome.OK).percentileNanos(0.5))
                .isBetween(95_500_000L, 104_500_000L);
        assertThat(statistics.total().acquisition(AcquisitionOutcome.OK).percentileNanos(0.5))
                .isBetween(955_000L, 1_045_000L);
        assertThat(statistics.window()).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(60));
    }

    /** Its copies share what has not changed, and the window moves on all the same. */
    @Test
    void anIdleMinuteForgetsWhatWasBefore() {
        live(Duration.ofSeconds(10), Duration.ofMillis(1), 5);
        live(Duration.ofSeconds(30), Duration.ofMillis(1), 0);
        slot.released(2_000_000);
        recorder.retried(1);
        live(Duration.ofSeconds(35), Duration.ofMillis(1), 0);
        PoolStatistics statistics = history.statistics(ticker.nanos());
        assertThat(statistics.recent().leases().count()).isEqualTo(1);
        assertThat(statistics.recent().leases().sumNanos()).isEqualTo(2_000_000);
        assertThat(statistics.recent().numbers(PoolMetric.RETRIES).count()).isEqualTo(1);
        assertThat(statistics.recent().numbers(PoolMetric.ACTIVE_SAMPLED).count())
                .isBetween(220L, 240L);
        assertThat(statistics.total().leases().count()).isEqualTo(201);
        live(Duration.ofSeconds(35), Duration.ofMillis(1), 0);
        assertThat(history.statistics(ticker.nanos()).recent().leases().count()).isZero();
        assertThat(history.statistics(ticker.nanos())
                        .recent()
                        .numbers(PoolMetric.RETRIES)
                        .count())
                .isZero();
    }

    @Test
    void aPeakIsShownForAMinute() {
        live(Duration.ofSeconds(3), Duration.ofMillis(1), 0);
        history.peaked(ticker.nanos(), 31, 32);
        live(Duration.ofSeconds(50), Duration.ofMillis(1), 0);
        assertThat(history.statistics(ticker.nanos()).activePeak()).isEqualTo(31);
        assertThat(history.statistics(ticker.nanos()).pendingPeak()).isEqualTo(32);
        live(Duration.ofSeconds(10), Duration.ofMillis(1), 0);
        assertThat(history.statistics(ticker.nanos()).activePeak())
                .as("of samples")
                .isEqualTo(7);
        assertThat(history.statistics(ticker.nanos()).pendingPeak())
                .as("of samples")
                .isEqualTo(3);
    }

    @Test
    void theUsualWaitIsThatOfTheTimeInWhichRequestsCame() {
        live(Duration.ofSeconds(5), Duration.ofMillis(1), 4);
        assertThat(recorder.usualWaitNanos()).as("too few").isEqualTo(Long.MAX_VALUE);
        live(Duration.ofSeconds(5), Duration.ofMillis(1), 4);
        assertThat(recorder.usualWaitNanos()).isBetween(955_000L, 1_045_000L);
        live(Duration.ofHours(1), Duration.ofMillis(1), 0);
        assertThat(recorder.usualWaitNanos()).as("nobody asked").isBetween(955_000L, 1_045_000L);
    }

    /** Else growth would stop half-way: what it is to end would soon count as usual. */
    @Test
    void anOverloadIsNotUsualBeforeMinutesHavePassed() {
        live(Duration.ofSeconds(10), Duration.ofMillis(1), 4);
        live(Duration.ofSeconds(65), Duration.ofMillis(30), 4);
        assertThat(recorder.usualWaitNanos()).isBetween(1_500_000L, 2_500_000L);
        live(Duration.ofMinutes(9), Duration.ofMillis(30), 4);
        assertThat(recorder.usualWaitNanos()).isBetween(28_600_000L, 31_400_000L);
        live(Duration.ofSeconds(65), Duration.ofMillis(1), 4);
        assertThat(recorder.usualWaitNanos()).isBetween(955_000L, 1_045_000L);
    }

    /** It never grew: waits below 250 ms were usual after five seconds, and so none was unusual. */
    @Test
    void ofAPoolThatIsShortFromItsFirstRequestOnTheWaitAtTheGateIsNotUsual() {
        crowded(Duration.ofSeconds(5));
        assertThat(recorder.usualWaitNanos()).as("an attempt").isBetween(955_000L, 1_045_000L);
        crowded(Duration.ofSeconds(65));
        assertThat(recorder.usualWaitNanos()).isBetween(1_500_000L, 2_500_000L);
        crowded(Duration.ofMinutes(9));
        assertThat(recorder.usualWaitNanos()).as("after minutes").isBetween(95_500_000L, 104_500_000L);
    }

    /** Every request waits at the gate for 99 ms, and for one millisecond in the pool. */
    private void crowded(Duration time) {
        for (long at = 0; at < time.toMillis(); at += 250) {
            for (int each = 0; each < 6; each++) {
                recorder.acquiredAfterDetour(100_000_000, 1_000_000);
                slot.released(20_000_000);
            }
            ticker.advance(Duration.ofMillis(250));
            history.tick(ticker.nanos(), STATE);
        }
    }

    @Test
    void onlyTheRecentMaximumIsForgotten() {
        slot.acquired(9_000_000_000L);
        live(Duration.ofSeconds(5), Duration.ofMillis(1), 1);
        assertThat(history.statistics(ticker.nanos())
                        .recent()
                        .acquisition(AcquisitionOutcome.OK)
                        .maxNanos())
                .isEqualTo(9_000_000_000L);
        live(Duration.ofSeconds(70), Duration.ofMillis(1), 1);
        PoolStatistics later = history.statistics(ticker.nanos());
        assertThat(later.recent().acquisition(AcquisitionOutcome.OK).maxNanos()).isEqualTo(1_000_000L);
        assertThat(later.total().acquisition(AcquisitionOutcome.OK).maxNanos()).isEqualTo(9_000_000_000L);
    }

    /** The lowest bucket's middle was shown, up to 4.5 % off. */
    @Test
    void theMinimumIsExactAndNoPercentileIsBelowIt() {
        slot.acquired(1_234_567);
        slot.acquired(1_234_999);
        slot.released(7_654_321);
        PoolStatistics young = history.statistics(ticker.nanos());
        HistogramSnapshot acquisitions = young.recent().acquisition(AcquisitionOutcome.OK);
        assertThat(acquisitions.minNanos()).isEqualTo(1_234_567);
        assertThat(acquisitions.percentileNanos(0)).isGreaterThanOrEqualTo(1_234_567);
        assertThat(young.total()
                        .durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK)
                        .minNanos())
                .isEqualTo(1_234_567);
        assertThat(young.total().leases().minNanos()).isEqualTo(7_654_321);
        assertThat(young.recent()
                        .durations(PoolMetric.CONNECT, AcquisitionOutcome.OK)
                        .minNanos())
                .isEqualTo(HistogramSnapshot.UNKNOWN);
        live(Duration.ofSeconds(70), Duration.ofMillis(9), 1);
        PoolStatistics later = history.statistics(ticker.nanos());
        assertThat(later.recent().acquisition(AcquisitionOutcome.OK).minNanos()).isEqualTo(9_000_000);
        assertThat(later.total().acquisition(AcquisitionOutcome.OK).minNanos()).isEqualTo(1_234_567);
    }

    @Test
    void theUsualLeaseIsTheOneOfAMinuteAgoAndBefore() {
        live(Duration.ofMinutes(5), Duration.ofMillis(1), 5);
        live(Duration.ofSeconds(50), Duration.ofMillis(100), 50);
        UsualLeases past = history.past(ticker.nanos());
        assertThat(past.usual().percentileNanos(0.99)).isLessThan(2_000_000);
        assertThat(past.recent().percentileNanos(0.5)).isGreaterThan(90_000_000);
        assertThat(past.windowNanos()).isBetween(55_000_000_000L, 60_000_000_000L);
    }

    @Test
    void ofAYoungPoolTheFirstLeasesAreTheUsualOnes() {
        live(Duration.ofSeconds(6), Duration.ofMillis(1), 1);
        live(Duration.ofSeconds(6), Duration.ofMillis(100), 10);
        assertThat(history.past(ticker.nanos()).usual().percentileNanos(0.99)).isLessThan(2_000_000);
    }

    @Test
    void withoutACopyAllLeasesAreTheUsualOnes() {
        live(Duration.ofSeconds(2), Duration.ofMillis(7), 1);
        assertThat(history.past(ticker.nanos()).usual().count()).isEqualTo(8);
    }

    /** After one burst on a locked row 5,251 ms was "typical", and the next incident looked like too much demand. */
    @Test
    void theLeasesOfAnIncidentAreNotUsual() {
        live(Duration.ofSeconds(70), Duration.ofMillis(5), 2);
        for (int minute = 0; minute < 5; minute++) {
            for (int copy = 0; copy < 12; copy++) {
                failed();
                live(Duration.ofSeconds(5), Duration.ofSeconds(4), 3);
            }
        }
        // Those that were open at the last failure end without another one.
        live(Duration.ofSeconds(4), Duration.ofSeconds(4), 3);
        live(Duration.ofSeconds(1), Duration.ofSeconds(1), 0);
        live(Duration.ofSeconds(65), Duration.ofMillis(5), 2);
        UsualLeases past = history.past(ticker.nanos());
        assertThat(past.usual().percentileNanos(0.99)).isLessThan(6_000_000);
        assertThat(past.usual().count()).isGreaterThanOrEqualTo(2 * UsualLeases.ENOUGH);
    }

    @Test
    void aPoolThatOnlyEverFailedKnowsNoUsualLease() {
        failed();
        live(Duration.ofSeconds(120), Duration.ofSeconds(3), 3);
        for (int copy = 0; copy < 30; copy++) {
            failed();
            live(Duration.ofSeconds(5), Duration.ofSeconds(3), 3);
        }
        StatisticsHistory other = new StatisticsHistory(recorder, () -> 0, ticker.nanos(), Long.MAX_VALUE);
        assertThat(other.past(ticker.nanos()).known())
                .as("nothing has failed since")
                .isTrue();
        Recorder young = new Recorder();
        SlotRecords its = young.add(new SlotRecords());
        StatisticsHistory ofYoung = new StatisticsHistory(young, () -> 0, ticker.nanos(), Long.MAX_VALUE);
        for (int copy = 0; copy < 20; copy++) {
            for (int each = 0; each < 50; each++) {
                its.acquired(3_000_000_000L);
                its.released(3_000_000_000L);
            }
            young.failed(2_000_000_000L, AcquisitionOutcome.TIMEOUT);
            ticker.advance(Duration.ofSeconds(5));
            ofYoung.tick(ticker.nanos(), STATE);
        }
        assertThat(ofYoung.past(ticker.nanos()).known()).isFalse();
    }

    @Test
    void aLeaseThatBeganBeforeTheLastFailureIsTheIncidentsWheneverItEnds() {
        live(Duration.ofSeconds(70), Duration.ofMillis(5), 2);
        failed();
        live(Duration.ofSeconds(5), Duration.ofMillis(5), 0);
        live(Duration.ofSeconds(20), Duration.ofSeconds(40), 50);
        live(Duration.ofSeconds(65), Duration.ofMillis(5), 0);
        assertThat(history.past(ticker.nanos()).usual().maxNanos()).isLessThan(6_000_000);
        assertThat(history.past(ticker.nanos()).usual().percentileNanos(1)).isLessThan(6_000_000);
    }

    private void failed() {
        recorder.failed(2_000_000_000L, AcquisitionOutcome.TIMEOUT);
    }

    @Test
    void whatHappenedJustNowIsSeenAtOnce() {
        slot.acquired(5_000);
        PoolStatistics statistics = history.statistics(ticker.nanos());
        assertThat(statistics.recent().acquisition(AcquisitionOutcome.OK).count())
                .isOne();
        assertThat(statistics.recent().acquisition(AcquisitionOutcome.OK).maxNanos())
                .isEqualTo(5_000);
    }

    @Test
    void ratesArePerSecond() {
        live(Duration.ofMinutes(30), Duration.ofMillis(1), 10);
        PoolStatistics.Rates steady = history.statistics(ticker.nanos()).acquisitionRates();
        assertThat(steady.oneMinute()).isCloseTo(40, within(0.5));
        assertThat(steady.fifteenMinutes()).isCloseTo(40, within(0.5));
        assertThat(steady.mean()).isCloseTo(40, within(0.5));
    }

    @Test
    void ratesDecay() {
        live(Duration.ofMinutes(30), Duration.ofMillis(1), 10);
        live(Duration.ofMinutes(1), Duration.ofMillis(1), 0);
        assertThat(history.statistics(ticker.nanos()).acquisitionRates().oneMinute())
                .isCloseTo(40 / Math.E, within(1.0));
    }

    @Test
    void whatIsSampledIsExact() {
        live(Duration.ofSeconds(10), Duration.ofMillis(1), 1);
        PoolStatistics.Figures total = history.statistics(ticker.nanos()).total();
        assertThat(total.numbers(PoolMetric.ACTIVE_SAMPLED).percentile(0.5)).isEqualTo(7);
        assertThat(total.numbers(PoolMetric.PENDING_SAMPLED).percentile(0.99)).isEqualTo(3);
        assertThat(total.numbers(PoolMetric.LIMIT_SAMPLED).max()).isEqualTo(12);
        assertThat(total.numbers(PoolMetric.GROWN_BY_SAMPLED).max()).isEqualTo(2);
        assertThat(total.numbers(PoolMetric.ACTIVE_SAMPLED).count()).isEqualTo(40);
    }

    @Test
    void aDetourCountsAsRequest() {
        PoolStatistics.Figures total = afterADetour();
        assertThat(total.acquisition(AcquisitionOutcome.OK).count()).isEqualTo(2);
        assertThat(total.acquisition(AcquisitionOutcome.OK).sumNanos()).isEqualTo(50_001_000);
    }

    @Test
    void aDetourCountsAsAttempt() {
        PoolStatistics.Figures total = afterADetour();
        assertThat(total.durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK).count())
                .isEqualTo(2);
        assertThat(total.durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK).sumNanos())
                .isEqualTo(3_000);
    }

    private PoolStatistics.Figures afterADetour() {
        slot.acquired(1_000);
        recorder.acquiredAfterDetour(50_000_000, 2_000);
        return history.statistics(ticker.nanos()).total();
    }
}
