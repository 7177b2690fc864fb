// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.List;

/** A run over time, a point per second. Filled by the run; read when it is over. */
public final class Trace {
    private final List<Point> points = new ArrayList<>();

    /**
     * One second.
     *
     * @param second when it ended
     * @param arrivals requests that arrived in it
     * @param failures requests that failed in it
     * @param limit the limit at its end
     * @param held connections open at its end
     * @param pending requests waiting at its end
     * @param p99AcquireMs 99th percentile of its acquisitions and failures, milliseconds; 0 without any
     */
    public record Point(
            int second, int arrivals, int failures, int limit, int held, int pending, double p99AcquireMs) {}

    void add(Point point) {
        points.add(point);
    }

    /** The seconds in order. */
    public List<Point> points() {
        return List.copyOf(points);
    }
}
