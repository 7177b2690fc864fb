// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Requests that are to fail. In a crowd one may be served, and so may many in a row while the crowd's threads have no processor:
 * a number of tries would be over in the one moment in which none of them asks.
 */
final class Tries {
    private Tries() {}

    /**
     * Asks until so many requests have failed, and waits a moment after each that was served.
     *
     * @param requests how many
     * @param request makes one; returns how long it took, NaN if it was served
     * @return how long those took that failed
     * @throws IllegalStateException if none has failed for 20 s
     */
    static List<Double> failed(int requests, DoubleSupplier request) {
        List<Double> failures = new ArrayList<>();
        long end = System.nanoTime() + Stage.STAGED_WITHIN_NANOS;
        while (failures.size() < requests) {
            double took = request.getAsDouble();
            if (Double.isNaN(took)) {
                Stage.pause(end, "a request that fails");
            } else {
                failures.add(took);
                end = System.nanoTime() + Stage.STAGED_WITHIN_NANOS;
            }
        }
        return failures;
    }
}
