// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ReplayTest {
    private static final long TIMEOUT = 50 * MS;

    private final LeaseTrace.Builder trace = LeaseTrace.builder();

    private void request(long arrivalMs, long leaseMs) {
        request(arrivalMs, 0, leaseMs, 0);
    }

    private void request(long arrivalMs, long waitMs, long leaseMs, long thread) {
        trace.add(arrivalMs * MS, waitMs * MS, leaseMs * MS, Ending.RELEASED, "", thread);
    }

    private Waits with(int connections) {
        return new Replay(trace.build(), TIMEOUT).with(connections);
    }

    @Test
    void withOneConnectionEachWaitsForTheOneBefore() {
        request(0, 10);
        request(0, 10);
        request(0, 10);
        Waits waits = with(1);
        assertThat((double) waits.percentileNanos(1)).isCloseTo(20.0 * MS, within(0.2 * MS));
        assertThat((double) waits.percentileNanos(0.5)).isCloseTo(10.0 * MS, within(0.1 * MS));
        assertThat(with(3).percentileNanos(1)).isZero();
    }

    @Test
    void aRequestThatTimesOutTakesNoConnection() {
        request(0, 100);
        request(1, 100);
        request(101, 10);
        Waits waits = with(1);
        assertThat(waits.timeouts()).isOne();
        assertThat(waits.percentileNanos(0.6)).as("the last did not wait").isZero();
        assertThat(waits.percentileNanos(1)).isEqualTo(TIMEOUT);
    }

    /** Erlang's formula for M/M/3 with a load of 2: 0.4444 wait, and 95 of 100 of all for at most 21.8 ms. */
    @Test
    void aPoissonStreamWaitsAsTheQueueingFormulaSays() {
        LeaseTrace poisson = Traces.poisson(7, Duration.ofMinutes(30), 200, 100, Traces.exponential(10));
        Waits waits = new Replay(poisson, 30 * SECOND).with(3);
        double p95 = Math.log(0.4444 / 0.05) * 10 * MS / (3 - 2);
        assertThat((double) waits.percentileNanos(0.95)).isCloseTo(p95, within(0.08 * p95));
        assertThat(waits.percentileNanos(0.54)).isZero();
    }

    /** Both ways to replay agree where no thread holds two connections; and with one that is written to be read. */
    @Property(tries = 300)
    void theWaysToReplayAgree(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(max = 40) Integer> gaps,
            @ForAll @Size(60) List<@IntRange(max = 90) Integer> leases,
            @ForAll @IntRange(min = 1, max = 5) int connections) {
        LeaseTrace.Builder requests = LeaseTrace.builder();
        long at = 0;
        for (int each = 0; each < gaps.size(); each++) {
            at += gaps.get(each) * MS;
            requests.add(at, 0, leases.get(each) * MS, Ending.RELEASED, "", 0);
        }
        LeaseTrace built = requests.build();
        SizePoint fast = new Replay(built, TIMEOUT).with(connections).point();
        Waits slowly = new Waits(connections, TIMEOUT);
        new NestedReplay(built, TIMEOUT).run(connections, slowly);
        assertThat(slowly.point()).isEqualTo(fast);
        List<Long> naive = naive(built, connections);
        assertThat(naive.stream().filter(wait -> wait < 0).count())
                .isEqualTo(Math.round(fast.timedOut() * built.requests()));
        long sum = naive.stream()
                .filter(wait -> wait >= 0)
                .mapToLong(wait -> wait)
                .max()
                .orElse(0);
        Waits waits = new Replay(built, TIMEOUT).with(connections);
        if (waits.timeouts() == 0) {
            assertThat((double) waits.percentileNanos(1)).isCloseTo((double) sum, within(0.002 * sum + 1.0));
        }
    }

    /** The steps of a histogram end above what was recorded in them: a wait of the timeout was 1,000.4 ms of 1,000 ms. */
    @Property(tries = 300)
    void noPercentileIsAboveAHigherOne(
            @ForAll @Size(min = 1, max = 60) List<@LongRange(max = 2_000_000_000L) Long> gaps,
            @ForAll @Size(60) List<@LongRange(max = 9_000_000_000L) Long> leases,
            @ForAll @LongRange(min = 1_000_000L, max = 2_000_000_000L) long timeout,
            @ForAll @IntRange(min = 1, max = 5) int connections) {
        LeaseTrace.Builder requests = LeaseTrace.builder();
        long at = 0;
        for (int each = 0; each < gaps.size(); each++) {
            at += gaps.get(each) % timeout;
            // Many wait for exactly as long as they may.
            requests.add(at, 0, each % 3 == 0 ? timeout : leases.get(each), Ending.RELEASED, "", 0);
        }
        SizePoint point =
                new Replay(requests.build(), timeout).with(connections).point();
        assertThat(new long[] {0, point.p50Nanos(), point.p99Nanos(), point.p999Nanos(), timeout})
                .isSorted();
    }

    @Test
    void aWaitOfTheTimeoutIsNotAboveIt() {
        request(0, 50);
        for (int each = 1; each < 100; each++) {
            request(0, each == 70 ? 1 : 0);
        }
        SizePoint point = with(1).point();
        assertThat(point.timedOut()).isPositive();
        assertThat(point.p50Nanos()).isEqualTo(TIMEOUT);
        assertThat(point.p99Nanos()).isEqualTo(TIMEOUT);
    }

    private static List<Long> naive(LeaseTrace trace, int connections) {
        PriorityQueue<Long> free = new PriorityQueue<>(Comparator.naturalOrder());
        for (int each = 0; each < connections; each++) {
            free.add(0L);
        }
        List<Long> waits = new ArrayList<>();
        for (int at = 0; at < trace.requests(); at++) {
            long start = Math.max(trace.arrival[at], free.element());
            boolean served = start - trace.arrival[at] <= TIMEOUT;
            waits.add(served ? start - trace.arrival[at] : -1);
            if (served) {
                free.remove();
                free.add(start + trace.lease[at]);
            }
        }
        return waits;
    }

    /** A thread that asks 5 ms after it got its first connection, and holds both up to the end. */
    private void nested(long atMs, long thread) {
        request(atMs, 0, 20, thread);
        request(atMs + 5, 0, 10, thread);
    }

    @Test
    void aSecondConnectionMakesTheFirstLeaseLonger() {
        nested(0, 1);
        request(1, 0, 12, 2);
        request(22, 0, 1, 3);
        LeaseTrace built = trace.build();
        assertThat(built.nested()).isTrue();
        // The second connection of thread 1 is free at 13 instead of 5, so its first one is free at 28 instead of 20.
        Waits waits = new Replay(built, TIMEOUT).with(2);
        assertThat((double) waits.percentileNanos(1)).isCloseTo(8.0 * MS, within(0.1 * MS));
        assertThat(waits.timeouts()).isZero();
    }

    @Test
    void threadsThatWaitForEachOtherTimeOut() {
        nested(0, 1);
        nested(1, 2);
        Waits waits = with(2);
        assertThat(waits.timeouts()).isPositive();
        assertThat(with(4).timeouts()).isZero();
        assertThat(with(3).timeouts()).isZero();
    }

    /** With waits in the record, the second request came later than it would have without them. */
    @Test
    void recordedWaitsAreTakenOut() {
        request(0, 0, 30, 1);
        request(5, 10, 10, 1);
        Waits waits = with(2);
        assertThat(waits.percentileNanos(1)).isZero();
        // So the first lease ends at 20, and both connections are free for these.
        request(21, 0, 20, 2);
        request(22, 0, 20, 3);
        assertThat(with(2).percentileNanos(1)).isZero();
    }

    @Test
    void eachReplayBeginsAnew() {
        nested(0, 1);
        nested(1, 2);
        request(22, 0, 1, 3);
        Replay replay = new Replay(trace.build(), TIMEOUT);
        SizePoint first = replay.with(3).point();
        assertThat(replay.with(2).point()).isNotEqualTo(first);
        assertThat(replay.with(3).point()).isEqualTo(first);
    }
}
