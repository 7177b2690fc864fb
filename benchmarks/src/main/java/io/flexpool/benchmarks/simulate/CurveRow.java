// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * One controller in one scenario on one database drawn at random.
 *
 * @param curve which database, from 1
 * @param knee connections at which it serves most
 * @param sigma its contention in the Universal Scalability Law
 * @param kappa its crosstalk
 * @param serviceMs a request that is alone in it, milliseconds
 * @param bestStatic the best static size there
 * @param row the run
 */
public record CurveRow(
        int curve, double knee, double sigma, double kappa, double serviceMs, int bestStatic, SimRow row) {}
