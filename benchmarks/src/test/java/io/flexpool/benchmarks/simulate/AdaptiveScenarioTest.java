// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.simulate.RealCourse.Sample;
import io.flexpool.benchmarks.simulate.RealPool.Kind;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The sizing controller on a real PostgreSQL, beside the best static size and FlexyPool, with the same requests at the same
 * moments, as in the simulation.
 * <p>
 * The short form plays each scenario in a sixteenth of its time: {@code mvn -Pscenarios verify -pl benchmarks -am
 * -Dtest=AdaptiveScenarioTest -Dsurefire.failIfNoSpecifiedTests=false}. {@code -Dscenario.pace=1} plays them in their own time, 6
 * minutes, and judges the goals, which are stated for that. One run differs from the next: where the published goal is about the
 * median of five, the bound of the one is wider.
 */
@Tag("scenario")
class AdaptiveScenarioTest {
    private static final double PACE = Double.parseDouble(System.getProperty("scenario.pace", "0.06"));
    private static final long SEED = Long.getLong("scenario.seed", 1001);
    private static final List<Long> SEEDS_OF_THE_SIMULATOR = PACE == 1 ? List.of(1L, 2L, 3L, 4L, 5L) : List.of(1L);

    private static PostgresServer server;

    @BeforeAll
    static void start() throws SQLException, InterruptedException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
        // Code that is not compiled yet would be measured as the pool's.
        RealRace.run(RealScenario.STEP.scenario(0.02), SEED - 1, RealScenario.BASE, server);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static BestStatic best(Scenario scenario) {
        return BestStatic.of(scenario, SEEDS_OF_THE_SIMULATOR);
    }

    private static Map<Kind, RealCourse> run(RealScenario which, BestStatic best) throws Exception {
        Map<Kind, RealCourse> courses = RealRace.run(which.scenario(PACE), SEED, best.size(), server);
        courses.forEach((kind, course) -> System.out.println(which + " " + kind + " " + course));
        assertThat(courses.values())
                .allSatisfy(course -> assertThat(course.requests())
                        .isPositive()
                        .isEqualTo(course(courses, Kind.BEST_STATIC).requests()));
        return courses;
    }

    private static RealCourse course(Map<Kind, RealCourse> courses, Kind kind) {
        return courses.getOrDefault(kind, new RealCourse(List.of()));
    }

    @Test
    void aStepIsServedAsByTheBestStaticSizeAndItsConnectionsAreGivenBack() throws Exception {
        Map<Kind, RealCourse> courses = run(RealScenario.STEP, best(RealScenario.STEP.scenario(1)));

        if (PACE < 1) {
            return;
        }
        RealCourse own = course(courses, Kind.FLEXPOOL);
        double from = RealScenario.STEP.begins() + 5;
        double to = RealScenario.STEP.begins() + 25;
        assertThat(own.failures()).isZero();
        assertThat(own.p99Ms(from, to))
                .isLessThanOrEqualTo(1.25 * course(courses, Kind.BEST_STATIC).p99Ms(from, to));
        double later = RealScenario.STEP.ends() + 60;
        int need = Math.max(RealScenario.BASE, best(RealScenario.STEP.calm()).size());
        assertThat(own.median(later, later + 5, Sample::held)).isLessThanOrEqualTo(1.2 * need);
    }

    @Test
    void anOverloadIsServedWithOneOfTheBestStaticSizes() throws Exception {
        BestStatic best = best(RealScenario.OVERLOAD.scenario(1));
        Map<Kind, RealCourse> courses = run(RealScenario.OVERLOAD, best);

        if (PACE < 1) {
            return;
        }
        RealCourse own = course(courses, Kind.FLEXPOOL);
        double begins = RealScenario.OVERLOAD.begins();
        double ends = RealScenario.OVERLOAD.ends();
        assertThat(own.median(begins + 25, ends, Sample::limit))
                .isBetween(0.75 * best.size(), 1.25 * best.largestSize());
        assertThat((double) own.completed(begins, ends))
                .isGreaterThanOrEqualTo(0.85 * course(courses, Kind.BEST_STATIC).completed(begins, ends));
    }

    @Test
    void nothingGrowsInAnOutageAndItEndsAtOnce() throws Exception {
        Map<Kind, RealCourse> courses = run(RealScenario.OUTAGE, best(RealScenario.OUTAGE.scenario(1)));

        RealCourse own = course(courses, Kind.FLEXPOOL);
        double begins = PACE * RealScenario.OUTAGE.begins();
        double ends = PACE * RealScenario.OUTAGE.ends();
        assertThat(own.failures()).isPositive();
        assertThat(own.most(begins, ends, Sample::limit))
                .isLessThanOrEqualTo(own.most(begins - 1, begins, Sample::limit));
        if (PACE < 1) {
            return;
        }
        assertThat(own.lastFailureAfter(ends))
                .isLessThanOrEqualTo(course(courses, Kind.BEST_STATIC).lastFailureAfter(ends) + 0.3);
    }
}
