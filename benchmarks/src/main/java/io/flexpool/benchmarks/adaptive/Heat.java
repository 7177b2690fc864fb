// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Pilot.Best;
import java.util.List;

/**
 * One run of a scenario.
 *
 * @param scenario which
 * @param pace what its times were multiplied by
 * @param run from 1
 * @param best the best static sizes
 * @param courses one per competitor, in the enum's order
 */
record Heat(RealScenario scenario, double pace, int run, Best best, List<Course> courses) {
    Course of(Competitor competitor) {
        return courses.stream()
                .filter(course -> course.competitor() == competitor)
                .findFirst()
                .orElseThrow();
    }

    /** A time of the scenario as it was played. */
    double at(double second) {
        return second * pace;
    }

    RealRow row(Competitor competitor) {
        return RealRow.of(this, of(competitor), of(Competitor.BEST_STATIC).meanSeconds());
    }

    List<RealRow> rows() {
        return courses.stream().map(course -> row(course.competitor())).toList();
    }
}
