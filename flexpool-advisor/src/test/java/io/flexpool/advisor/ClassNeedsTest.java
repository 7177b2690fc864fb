// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advice.ClassAdvice;
import io.flexpool.advice.ClassAdvice.Fit;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** A pool of 20 connections, of which batch work has 4 at most: six of its requests come each second, for half a second each. */
class ClassNeedsTest {
    private static final LeaseTrace QUIET = Traces.poisson(7, Duration.ofMinutes(10), 100, 30, Traces.exponential(20));
    private static final Map<String, String> HEADER = Map.of(
            "classes", "interactive,batch,report",
            "classes.interactive.guarantee", "0.75",
            "classes.batch.guarantee", "0.06",
            "classes.batch.most", "4");

    private static LeaseTrace.Builder interactive() {
        LeaseTrace.Builder trace = LeaseTrace.builder().inClass("interactive");
        for (int at = 0; at < QUIET.requests(); at++) {
            trace.add(QUIET.arrival[at], QUIET.wait[at], QUIET.lease[at], Ending.RELEASED, "shop.Orders.find", 0);
        }
        return trace;
    }

    private static LeaseTrace both() {
        LeaseTrace.Builder trace = interactive().inClass("batch");
        for (int second = 0; second < 600; second++) {
            for (int each = 0; each < 6; each++) {
                trace.add(second * SECOND, each < 4 ? 0 : 500 * MS, 500 * MS, Ending.RELEASED, "shop.Export.run", 0);
            }
        }
        return trace.build();
    }

    private static Question question(List<ClassLimits> classes) {
        return Question.of(20).withTimeout(Duration.ofSeconds(5)).withClasses(classes);
    }

    @Test
    void eachClassHasItsOwnFigures() {
        Advice advice = Advisor.advise(both(), question(ClassLimits.of(HEADER, 20)));

        assertThat(advice.classes()).extracting(ClassAdvice::name).containsExactly("interactive", "batch");
        ClassAdvice interactive = advice.classes().get(0);
        assertThat(interactive.requests()).isEqualTo(QUIET.requests());
        assertThat(interactive.needed()).isBetween(6, 8);
        assertThat(interactive.guaranteed()).isEqualTo(15);
        assertThat(interactive.waitP99()).isZero();
        assertThat(interactive.max()).isEmpty();
        assertThat(interactive.maxFit()).isEqualTo(Fit.NONE);
        ClassAdvice batch = advice.classes().get(1);
        assertThat(batch.requests()).isEqualTo(3_600);
        assertThat(batch.demandMax()).isEqualTo(6);
        assertThat(batch.demandP99()).isEqualTo(6);
        assertThat(batch.waitP99()).isBetween(Duration.ofMillis(499), Duration.ofMillis(501));
        assertThat(batch.needed()).as("six, and 8 %% more").isEqualTo(7);
        assertThat(batch.guaranteed()).isEqualTo(2);
        assertThat(batch.max()).hasValue(4);
        assertThat(batch.guaranteeFit()).isEqualTo(Fit.LOW);
        assertThat(batch.maxFit()).isEqualTo(Fit.LOW);
        assertThat(advice.text())
                .endsWith(
                        "Class batch: 3,600 requests, demand at most 6 connections (p99 6), p99 wait 500 ms; 7 connections of its own would meet the"
                                + " wait target. Its guarantee of 2 is too low, and its maximum of 4 is too low: requests wait.");
    }

    @Test
    void whatIsEnoughFitsAndWhatIsMoreWasNotReached() {
        List<ClassLimits> enough = List.of(
                new ClassLimits("interactive", 0, OptionalInt.empty()), new ClassLimits("batch", 7, OptionalInt.of(8)));

        Advice advice = Advisor.advise(both(), question(enough));

        assertThat(advice.classes().get(0).guaranteeFit()).isEqualTo(Fit.NONE);
        assertThat(advice.classes().get(0).text()).endsWith("would meet the wait target. It has no guarantee.");
        ClassAdvice batch = advice.classes().get(1);
        assertThat(batch.guaranteeFit()).isEqualTo(Fit.FITS);
        assertThat(batch.maxFit()).isEqualTo(Fit.UNREACHED);
        assertThat(batch.text()).endsWith("Its guarantee of 7 is enough, and its maximum of 8 was never reached.");
    }

    @Test
    void requestsThatTimedOutWaitedForTheTimeout() {
        LeaseTrace.Builder trace = interactive().inClass("batch");
        for (int second = 0; second < 600; second++) {
            trace.add(second * SECOND, 0, 100 * MS, Ending.RELEASED, "shop.Export.run", 0);
            trace.add(second * SECOND, 5 * SECOND, 0, Ending.TIMED_OUT, "shop.Export.run", 0);
        }

        ClassAdvice batch = Advisor.advise(trace.build(), question(ClassLimits.of(HEADER, 20)))
                .classes()
                .get(1);

        assertThat(batch.timedOut()).isEqualTo(600);
        assertThat(batch.waitP99()).isEqualTo(Duration.ofSeconds(5));
        assertThat(batch.text()).contains("p99 wait 5000 ms, 600 timed out;");
    }

    @Test
    void aPoolWithOneClassForAllHasNone() {
        assertThat(Advisor.advise(QUIET, question(List.of())).classes()).isEmpty();
        assertThat(Advisor.advise(QUIET, question(ClassLimits.of(HEADER, 20))).classes())
                .as("no request is of a class")
                .isEmpty();
    }

    @Test
    void whatAHeaderSaysThatCannotBeReadIsLeftOut() {
        assertThat(ClassLimits.of(Map.of(), 20)).isEmpty();
        assertThat(ClassLimits.of(Map.of("classes", "a,,b", "classes.a.guarantee", "much", "classes.b.most", "0"), 20))
                .containsExactly(
                        new ClassLimits("a", 0, OptionalInt.empty()), new ClassLimits("b", 0, OptionalInt.empty()));
    }
}
