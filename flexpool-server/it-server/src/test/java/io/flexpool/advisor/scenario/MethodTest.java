// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.Question;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MethodTest {
    private static final Question QUESTION = Question.of(1_000);

    /** Each 10 ms a lease of 20 ms: always two, and the third begins when the first ends. */
    private static LeaseTrace regular() {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int at = 0; at < 6_000; at++) {
            trace.add(at * 10_000_000L, 0, 20_000_000, Ending.RELEASED, "", 0);
        }
        return trace.build();
    }

    @Test
    void whatTheRulesLookAtIsCountedRight() {
        Seen seen = Seen.of(regular());
        assertThat(seen.meanDemand()).isCloseTo(2, within(0.01));
        assertThat(seen.demandP99()).isEqualTo(2);
        assertThat(seen.rateP95()).isCloseTo(100, within(0.5));
        assertThat(seen.meanLeaseSeconds()).isCloseTo(0.02, within(1e-9));
    }

    @Test
    void theRulesDoWhatTheirNamesSay() {
        assertThat(Method.ARGUS.size(regular(), QUESTION)).isEqualTo(4);
        assertThat(Method.LITTLE.size(regular(), QUESTION)).isEqualTo(3);
        assertThat(Method.DEMAND.size(regular(), QUESTION)).isEqualTo(3);
        // With a load of 2 and leases of 20 ms 1.2 % of 6 servers' requests wait 10 ms or longer, and 0.3 % of 7
        // servers'.
        assertThat(Method.ERLANG_C.size(regular(), QUESTION)).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource
    void arrivalsHaveTheirRateAndAreInOrder(Arrivals arrivals) {
        double mean = DoubleStream.iterate(1, seed -> seed + 1)
                .limit(20)
                .map(seed -> {
                    double[] seconds = arrivals.seconds(new SplittableRandom((long) seed), 50, 400);
                    assertThat(seconds).isSorted();
                    assertThat(seconds[seconds.length - 1]).isLessThanOrEqualTo(400);
                    return seconds.length / 400.0;
                })
                .average()
                .orElseThrow();
        assertThat(mean).isCloseTo(50, within(4.0));
    }

    @ParameterizedTest
    @EnumSource
    void leasesHaveTheMeanOne(LeaseLaw law) {
        SplittableRandom random = new SplittableRandom(8);
        double sum = 0;
        for (int at = 0; at < 200_000; at++) {
            sum += law.draw(random);
        }
        assertThat(sum / 200_000).isCloseTo(1, within(0.03));
    }

    @Test
    void aFreshTraceIsAnotherOne() {
        LoadProcess process = LoadProcess.all().get(0);
        assertThat(LoadProcess.all()).hasSize(40);
        LeaseTrace one = process.trace(1, Duration.ofMinutes(1));
        assertThat(process.trace(1, Duration.ofMinutes(1)).leaseNanos(7)).isEqualTo(one.leaseNanos(7));
        assertThat(process.trace(2, Duration.ofMinutes(1)).leaseNanos(7)).isNotEqualTo(one.leaseNanos(7));
    }
}
