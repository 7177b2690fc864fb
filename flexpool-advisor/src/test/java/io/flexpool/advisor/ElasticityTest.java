// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticityTest {
    /** Groups of requests that come at once, each lease as long as the exponent says. */
    private static LeaseTrace groups(double exponent, int... sizes) {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int size : sizes) {
            for (int group = 0; group < 250; group++) {
                long at = trace.size() * SECOND;
                for (int request = 0; request < size; request++) {
                    trace.add(at, 0, (long) (10 * MS * Math.pow(size, exponent)), Ending.RELEASED, "", 0);
                }
            }
        }
        return trace.build();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.7, 1})
    void theExponentIsFound(double exponent) {
        Elasticity found = Elasticity.of(groups(exponent, 1, 2, 4, 8)).orElseThrow();
        assertThat(found.exponent()).isCloseTo(exponent, within(1e-4));
        assertThat(found.hasCapacity()).isEqualTo(exponent == 0);
        assertThat(found.bottleneck()).isEqualTo(exponent >= 0.7);
    }

    @Test
    void itIsNotSaidWithoutBeingCertain() {
        assertThat(new Elasticity(0.2, 0.02).hasCapacity()).isTrue();
        assertThat(new Elasticity(0.2, 0.03).hasCapacity()).isFalse();
        assertThat(new Elasticity(0.6, 0.17).bottleneck()).isTrue();
        assertThat(new Elasticity(0.59, 0.01).bottleneck()).isFalse();
        assertThat(new Elasticity(0.6, 0.18).bottleneck()).isFalse();
    }

    @Test
    void fewSizesShowNone() {
        assertThat(Elasticity.of(groups(1, 4))).isEmpty();
        assertThat(Elasticity.of(groups(1, 4, 5, 6, 7))).isEmpty();
        assertThat(Elasticity.of(groups(1, 4, 8))).isPresent();
    }

    /** When a lease begins, those of other connections may just have ended; a moment later all are active again. */
    @Test
    void aPoolThatIsAlwaysFullShowsNone() {
        assertThat(Elasticity.of(Traces.full(4, Duration.ofMinutes(3), Traces.fixed(20))))
                .isEmpty();
    }

    /** Leases that have nothing to do with each other, in a pool that is busy: short ones see extremes, long ones the mean. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 40})
    void leasesThatDoNotDependOnOthersShowRoom(int connections) {
        Duration span = Duration.ofMinutes(3);
        LeaseTrace busy = Traces.poisson(3, span, 150, connections, Traces.exponential(20));
        Elasticity found = Elasticity.of(busy).orElseThrow();
        assertThat(found.hasCapacity()).isTrue();
        assertThat(found.exponent()).isLessThan(0.1);
    }

    /** A few seconds of a program that begins: few are active, and all is slow. */
    @Test
    void whatOnlyOnePartOfTheRecordShowsIsNotCertain() {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int at = 0; at < 300; at++) {
            trace.add(at * 20L * MS, 0, 20 * MS, Ending.RELEASED, "", 0);
        }
        for (int at = 0; at < 20_000; at++) {
            trace.add(60 * SECOND + at * 5L * MS, 0, 20 * MS, Ending.RELEASED, "", 0);
        }
        Optional<Elasticity> found = Elasticity.of(trace.build());
        assertThat(found.filter(Elasticity::hasCapacity)).isEmpty();
        assertThat(found.filter(Elasticity::bottleneck)).isEmpty();
    }

    /** A report is long and runs when it is quiet. */
    @Test
    void aCallSiteIsComparedWithItself() {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int at = 0; at < 4_000; at++) {
            int others = 1 + at % 4;
            for (int each = 0; each <= others; each++) {
                boolean report = each == 0;
                // A lease of the usual site takes longer by what the others add.
                trace.add(
                        at * SECOND,
                        0,
                        (report ? 500 / others : 10 * others) * MS,
                        Ending.RELEASED,
                        report ? "shop.Report.run" : "shop.Orders.find",
                        0);
            }
        }
        assertThat(Elasticity.of(trace.build()).filter(Elasticity::hasCapacity)).isEmpty();
    }
}
