// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Requests of a pool that is too small, some of which are tries of requests before them. */
class RetriesTest {
    private static final long TIMEOUT = SECOND;
    private static final String SITE = "shop.Orders.find";

    /** A request that will ask. */
    private record Ask(long at, long lease, long thread) {}

    /**
     * Users who come by themselves, twenty a second for 200 ms each, fifty in busy minutes.
     *
     * @param threads how many threads they come on, in turn
     * @param pause how long a thread waits until it repeats a request that timed out; negative if it does not
     */
    private static LeaseTrace users(long seed, int connections, long pause, int threads) {
        SplittableRandom random = new SplittableRandom(seed);
        PriorityQueue<Ask> asks = new PriorityQueue<>((one, other) -> Long.compare(one.at, other.at));
        long at = 0;
        for (int user = 1; at < 1_200 * SECOND; user++) {
            double perSecond = at / (60 * SECOND) % 2 == 0 ? 20 : 50;
            at += (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND);
            asks.add(new Ask(at, (long) (-Math.log(1 - random.nextDouble()) * 200 * MS), 1 + user % threads));
        }
        long[] free = new long[connections];
        LeaseTrace.Builder trace = LeaseTrace.builder();
        while (!asks.isEmpty()) {
            Ask ask = asks.poll();
            int first = 0;
            for (int each = 1; each < connections; each++) {
                first = free[each] < free[first] ? each : first;
            }
            long start = Math.max(ask.at, free[first]);
            if (start - ask.at > TIMEOUT) {
                trace.add(ask.at, TIMEOUT, 0, Ending.TIMED_OUT, SITE, ask.thread, false);
                if (pause >= 0) {
                    asks.add(new Ask(ask.at + TIMEOUT + pause, ask.lease, ask.thread));
                }
            } else {
                free[first] = start + ask.lease;
                // Of leases a sample has a call site.
                String site = random.nextInt(10) == 0 ? SITE : "";
                trace.add(ask.at, start - ask.at, ask.lease, Ending.RELEASED, site, ask.thread, false);
            }
        }
        return trace.build();
    }

    private static final Question QUESTION = Question.of(10)
            .withTimeout(Duration.ofNanos(TIMEOUT))
            .withWaitTarget(Duration.ofMillis(50))
            .withKnee(100);

    @Test
    void triesOfOneRequestAreOneRequest() {
        LeaseTrace users = users(1, 1_000, -1, 100_000);
        int needed = Advisor.advise(users, QUESTION).connections();
        LeaseTrace trace = users(1, 10, 20 * MS, 100_000);
        assertThat(trace.count(Ending.TIMED_OUT)).isGreaterThan(trace.requests() / 100);
        LeaseTrace joined = trace.withTriesJoined();
        assertThat(joined.requests()).isEqualTo(users.requests());
        assertThat(joined.count(Ending.TIMED_OUT)).isZero();
        Advice advice = Advisor.advise(trace, QUESTION);
        assertThat(advice.verdict()).isEqualTo(Verdict.MORE);
        assertThat(advice.connections()).isBetween(needed - 1, needed + 1);
        assertThat(advice.text()).contains("such attempts count as one request");
    }

    /** Each of twenty threads asks again within a second whether or not its request timed out. */
    @Test
    void anotherUsersRequestIsNoRetry() {
        LeaseTrace trace = users(2, 10, -1, 20);
        assertThat(trace.count(Ending.TIMED_OUT)).isGreaterThan(10);
        assertThat(trace.withTriesJoined()).isSameAs(trace);
        assertThat(Advisor.advise(trace, QUESTION).text())
                .contains("Requests that timed out count as demand. If they were only retries, ");
    }

    /** Each thread has gone on by the time that it asks again. */
    @Test
    void lateRequestsAreNoRetries() {
        LeaseTrace trace = users(3, 10, 5 * SECOND, 100_000);
        assertThat(trace.count(Ending.TIMED_OUT)).isGreaterThan(10);
        assertThat(trace.withTriesJoined()).isSameAs(trace);
    }
}
