// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two connections, one of them batch work's where they are divided, and leases of a second. */
class VirtualPlayTest {
    private static final Shape TWO = new Shape(2, 1, false);

    private static Ask ask(double at, String kind, double deadline) {
        return new Ask(at, kind, 0, 1, deadline);
    }

    /** Three of batch work at once, and half a second later one that is interactive. */
    private static List<Answer> played(Sharing sharing) {
        List<Ask> asks = new ArrayList<>();
        for (double at : new double[] {0, 0.001, 0.002}) {
            asks.add(ask(at, Sharing.BATCH, 10));
        }
        asks.add(ask(0.5, Sharing.INTERACTIVE, 10));
        List<Answer> answers = VirtualPlay.play(sharing, TWO, asks);
        answers.sort(Comparator.comparingDouble(one -> one.ask().at()));
        return answers;
    }

    private static double waitOfInteractive(Sharing sharing) {
        return played(sharing).get(3).waited();
    }

    @Test
    void inOnePoolTheyWaitInTheirOrder() {
        assertThat(played(Sharing.BARE_POOL).get(2).waited()).isCloseTo(0.998, within(1e-9));
        assertThat(waitOfInteractive(Sharing.BARE_POOL)).isCloseTo(0.501, within(1e-9));
    }

    @Test
    void ofTwoPoolsEachHasItsOwn() {
        assertThat(waitOfInteractive(Sharing.TWO_POOLS)).isZero();
        assertThat(played(Sharing.TWO_POOLS).get(2).waited()).isCloseTo(1.998, within(1e-9));
    }

    @Test
    void aClassBelowItsGuaranteeGoesFirst() {
        assertThat(waitOfInteractive(Sharing.CLASSES)).isCloseTo(0.5, within(1e-9));
        assertThat(played(Sharing.CLASSES).get(2).waited()).isCloseTo(0.999, within(1e-9));
    }

    @Test
    void onlyAPoolLendsToOneWhoseTimeIsOver() {
        List<Ask> asks = List.of(
                ask(0, Sharing.INTERACTIVE, 1), ask(0.1, Sharing.INTERACTIVE, 1), ask(0.2, Sharing.INTERACTIVE, 0.5));

        assertThat(VirtualPlay.play(Sharing.BARE_POOL, TWO, asks))
                .filteredOn(Answer::expired)
                .hasSize(1);
        List<Answer> answers = VirtualPlay.play(Sharing.CLASSES, TWO, asks);
        assertThat(answers).filteredOn(Answer::expired).isEmpty();
        assertThat(answers)
                .filteredOn(one -> !one.served())
                .singleElement()
                .satisfies(one -> assertThat(one.waited()).isCloseTo(0.5, within(1e-9)));
    }

    @Test
    void aPoolsTimeoutEndsAWait() {
        List<Ask> asks = new ArrayList<>();
        for (int at = 0; at < 14; at++) {
            asks.add(ask(at / 1000.0, Sharing.INTERACTIVE, 1));
        }

        assertThat(VirtualPlay.play(Sharing.BARE_POOL, TWO, asks))
                .hasSize(14)
                .filteredOn(one -> !one.served())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.waited()).isCloseTo(5, within(1e-9)));
    }

    /** Four times what the connections can do, for half a minute: the queue alone would be older than any deadline. */
    @Test
    void aClassThatIsOverloadedIsShed() {
        List<Ask> asks = new ArrayList<>();
        for (int at = 0; at < 240; at++) {
            asks.add(ask(at / 8.0, Sharing.INTERACTIVE, 100));
        }

        assertThat(unserved(Sharing.CLASSES, asks)).isEmpty();
        // Twice the median lease is all that they are given, where their deadline is 100 s.
        assertThat(unserved(Sharing.CLASSES_SHED, asks))
                .hasSizeGreaterThan(30)
                .allSatisfy(one -> assertThat(one.waited()).isLessThan(3));
    }

    private static List<Answer> unserved(Sharing sharing, List<Ask> asks) {
        return VirtualPlay.play(sharing, TWO, asks).stream()
                .filter(one -> !one.served())
                .toList();
    }

    @Test
    void theExperimentsTellTheWaysApart() throws InterruptedException {
        Loads loads = new Loads(10, 0.05, 3, 500, 1);
        Shape shape = new Shape(10, 5, false);

        assertThat(value(Experiment.OVERLOAD, loads, shape, Figure.GOODPUT, "virtual-bare-pool"))
                .isLessThan(100);
        assertThat(value(Experiment.OVERLOAD, loads, shape, Figure.GOODPUT, "virtual-classes"))
                .isGreaterThan(190);
        assertThat(value(Experiment.OVERLOAD, loads, shape, Figure.HIGH, "virtual-classes"))
                .isGreaterThan(0.98);
        assertThat(value(Experiment.STORM, loads, shape, Figure.EXPIRED, "virtual-bare-pool"))
                .isGreaterThan(100);
        assertThat(value(Experiment.STORM, loads, shape, Figure.EXPIRED, "virtual-classes"))
                .isZero();
        assertThat(value(Experiment.TENANTS, loads, shape, Figure.OTHERS, "virtual-bare-pool"))
                .isGreaterThan(2 * value(Experiment.TENANTS, loads, shape, Figure.OTHERS, "virtual-bare-pool-without"));
    }

    /** Regression: connections that came in time were counted, and not answers, of which there were half as many. */
    @Test
    void classesAnswerNearlyAsManyInTimeAsAnOracle() throws InterruptedException {
        Loads loads = new Loads(10, 0.05, 10, 500, 1);
        Shape shape = new Shape(10, 5, false);

        double oracle = value(Experiment.OVERLOAD, loads, shape, Figure.GOODPUT, Experiment.ORACLE);
        assertThat(oracle).isBetween(195.0, 201.0);
        for (String variant : List.of("virtual-classes", "virtual-classes-shed")) {
            assertThat(value(Experiment.OVERLOAD, loads, shape, Figure.GOODPUT, variant))
                    .isBetween(0.9 * oracle, oracle + 1);
        }
    }

    /** Two connections and leases of a second: of five at once two are in time, and later the newest one goes first. */
    @Test
    void anOracleServesTheNewestWhoseLeaseEndsInTime() {
        List<Ask> asks = new ArrayList<>();
        for (int at = 0; at < 5; at++) {
            asks.add(ask(at / 1000.0, Sharing.BATCH, 1.5));
        }
        asks.add(ask(0.9, Sharing.BATCH, 1.5));

        assertThat(Oracle.play(2, asks)).extracting(one -> one.ask().at()).containsExactly(0.0, 0.001, 0.9);
    }

    private static double value(Experiment experiment, Loads loads, Shape shape, Figure figure, String variant)
            throws InterruptedException {
        return experiment.round(Ground.VIRTUAL, loads, shape).stream()
                .filter(one -> one.figure() == figure && one.variant().equals(variant))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
