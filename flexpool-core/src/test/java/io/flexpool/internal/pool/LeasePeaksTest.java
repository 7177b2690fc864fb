// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasePeaksTest {
    /** A clock that is about to overflow. */
    private static final long ORIGIN = Long.MAX_VALUE - 2_000_000;

    private static final long TICK = 250_000;

    /** A request; the lease of one that got no connection has no length. */
    private record Request(long arrival, long begin, long end, boolean served) {
        Request(long arrival, long begin, long end) {
            this(arrival, begin, end, true);
        }
    }

    private record Block(List<Request> requests, long takenNanos) implements LeaseBlock {
        @Override
        public int size() {
            return requests.size();
        }

        @Override
        public long arrivalNanos(int request) {
            return requests.get(request).arrival();
        }

        @Override
        public long waitNanos(int request) {
            return requests.get(request).begin() - requests.get(request).arrival();
        }

        @Override
        public long leaseNanos(int request) {
            return requests.get(request).end() - requests.get(request).begin();
        }

        @Override
        public AcquisitionOutcome outcome(int request) {
            return requests.get(request).served() ? AcquisitionOutcome.OK : AcquisitionOutcome.TIMEOUT;
        }

        @Override
        public String callSite(int request) {
            return "";
        }

        @Override
        public int thread(int request) {
            return 1;
        }

        @Override
        public boolean nested(int request) {
            return false;
        }

        @Override
        public int demand() {
            return 0;
        }

        @Override
        public long lost() {
            return 0;
        }

        @Override
        public long unwanted() {
            return 0;
        }
    }

    private final LeasePeaks sweep = new LeasePeaks();

    private static Request request(long arrival, long begin, long end) {
        return new Request(ORIGIN + arrival, ORIGIN + begin, ORIGIN + end);
    }

    private boolean tick(long at, List<Request> ended, List<Request> open, int pending) {
        long[] begins = open.stream()
                .flatMapToLong(lease -> LongStream.of(lease.begin(), lease.begin() - lease.arrival()))
                .toArray();
        return sweep.take(new Block(ended, ORIGIN + at), begins, pending);
    }

    @Test
    void aBurstBetweenTwoTicksIsCounted() {
        assertThat(tick(0, List.of(), List.of(), 0))
                .as("the first tick has none before it")
                .isFalse();
        List<Request> burst = List.of(
                request(1_000, 1_000, 9_000),
                request(2_000, 2_000, 8_000),
                request(3_000, 7_000, 9_000),
                request(9_500, 9_500, 9_900));
        assertThat(tick(TICK, burst, List.of(), 0)).isTrue();
        assertThat(sweep.active()).isEqualTo(3);
        assertThat(sweep.pending()).isEqualTo(1);
        tick(2 * TICK, List.of(), List.of(), 0);
        assertThat(sweep.active()).isZero();
        assertThat(sweep.pending()).isZero();
    }

    @Test
    void aLeaseThatFollowsAnotherIsNotBesideIt() {
        tick(0, List.of(), List.of(), 0);
        tick(TICK, List.of(request(0, 64, 1_000), request(500, 936, 2_000)), List.of(), 0);
        assertThat(sweep.active()).isEqualTo(1);
    }

    @Test
    void aLeaseThatEndsWhileTheTickReadsIsCountedOnceAndGoesOnInTheNext() {
        tick(0, List.of(), List.of(), 0);
        Request late = request(100, 100, TICK + 500);
        tick(TICK, List.of(late), List.of(late), 0);
        assertThat(sweep.active()).isEqualTo(1);
        tick(2 * TICK, List.of(request(TICK + 100, TICK + 100, TICK + 900)), List.of(), 0);
        assertThat(sweep.active()).isEqualTo(2);
    }

    @Test
    void aRequestThatWaitsOnFromTickToTickIsPendingInBetween() {
        tick(0, List.of(), List.of(), 2);
        tick(TICK, List.of(request(50, 60_000, 70_000), request(100, 50_000, 80_000)), List.of(), 2);
        assertThat(sweep.pending()).isEqualTo(4);
        sweep.missed();
        assertThat(tick(2 * TICK, List.of(request(-9, 300_000, 310_000)), List.of(), 0))
                .isFalse();
    }

    /** Whatever ticks meet, the highest of the peaks is that of all leases seen from afar. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theHighestPeakIsTheMostThatOverlap(int seed) {
        Random random = new Random(seed);
        List<Request> all = new ArrayList<>();
        for (int at = 0; at < 300; at++) {
            long arrival = random.nextInt(8 * (int) TICK);
            long begin = arrival + 1_000L * random.nextInt(10);
            all.add(request(arrival, begin, begin + 1_000 + random.nextInt(2 * (int) TICK)));
        }
        int expected = 0;
        for (Request one : all) {
            long then = one.begin();
            expected = Math.max(expected, (int) all.stream()
                    .filter(other -> other.begin() - then <= 0 && other.end() - then >= 128)
                    .count());
        }
        int most = 0;
        long taken = ORIGIN;
        for (long tick = 0; tick <= 12 * TICK; tick += TICK) {
            // The slots are read some time after the clock, and the block is taken later still.
            long read = ORIGIN + tick + random.nextInt(5_000);
            long drained = read + random.nextInt(5_000);
            long from = taken;
            List<Request> open = all.stream()
                    .filter(one -> one.begin() - read <= 0 && one.end() - read > 0)
                    .toList();
            List<Request> ended = all.stream()
                    .filter(one -> one.end() - from > 0 && one.end() - drained <= 0)
                    .sorted(Comparator.comparingLong(one -> one.end() - ORIGIN))
                    .toList();
            taken = drained;
            tick(tick, ended, open, 0);
            most = Math.max(most, sweep.active());
        }
        assertThat(most).isEqualTo(expected);
    }
}
