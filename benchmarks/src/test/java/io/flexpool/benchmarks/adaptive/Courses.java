// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Pilot.Best;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/** Runs that did not take place: ten requests a second for two minutes, each served at once. */
final class Courses {
    static final double SECONDS = 140;
    private static final int PER_SECOND = 10;
    private static final double LEASE = 0.1;

    private Courses() {}

    /** All requests served within 100 ms with connections as given; the failed ones failed after a second. */
    static Course of(Competitor competitor, ToIntFunction<Double> size, int... failed) {
        List<Request> requests = IntStream.range(0, (int) (SECONDS * PER_SECOND))
                .mapToObj(n -> new Request((double) n / PER_SECOND, LEASE))
                .toList();
        Course course = new Course(competitor, requests, SECONDS);
        for (int n = 0; n < requests.size(); n++) {
            int number = n;
            if (Arrays.stream(failed).anyMatch(one -> one == number)) {
                course.failed(n, 1, new IllegalStateException("for the test"));
            } else {
                course.acquired(n, 0);
                course.served(n, LEASE);
            }
        }
        for (int second = 0; second <= SECONDS; second++) {
            int now = size.applyAsInt((double) second);
            course.add(new Sample(second, now, now, now, 0));
        }
        return course;
    }

    /** No request, and five connections in every sample. */
    static Course looked(Competitor competitor, double... seconds) {
        Course course = new Course(competitor, List.of(), SECONDS);
        Arrays.stream(seconds).forEach(second -> course.add(new Sample(second, 5, 5, 5, 0)));
        return course;
    }

    /** A run with the same figures for all but flexpool. */
    static Heat heat(RealScenario scenario, int run, int best, Course flexpool) {
        return new Heat(
                scenario,
                1,
                run,
                Best.of(best),
                List.of(
                        of(Competitor.BEST_STATIC, second -> best),
                        of(Competitor.FLEXYPOOL, second -> best),
                        of(Competitor.GRADIENT2, second -> best),
                        flexpool));
    }
}
