// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

/** When the finding that connections are occupied came, and when it could have come. */
final class Occupied {
    private static final String CAUSE = "occupied";
    private static final double STUCK_SECONDS = 2;
    private static final double STUCK_LEASES = 60;

    private Occupied() {}

    /** When it was first reported; infinite if never. */
    static double reported(Course course) {
        return course.steps().stream()
                .filter(step -> step.cause().equals(CAUSE))
                .mapToDouble(Course.Step::second)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * When a connection was active so long that it counts as occupied, and requests waited because the rest were
     * active too.
     * The length of a calm lease is taken from the curve, with as many at once as the load has on average: shorter than
     * what the pool has measured, so this is rather too early than too late.
     */
    static double knowable(Heat heat, Course course) {
        double calm = RealScenario.CURVE.serviceSeconds() * RealScenario.CURVE.stretch(2);
        double old = heat.at(RealScenario.LEAK.begins()) + STUCK_SECONDS + STUCK_LEASES * calm;
        return course.samples().stream()
                .filter(sample -> sample.second() >= old && sample.pending() > 0 && sample.leased() >= sample.limit())
                .mapToDouble(Sample::second)
                .min()
                .orElse(old);
    }
}
