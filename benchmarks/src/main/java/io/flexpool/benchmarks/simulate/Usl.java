// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * How a database slows down with what runs in it at once: the Universal Scalability Law.
 *
 * @param sigma contention, 0 to below 1
 * @param kappa coherence, positive
 * @param serviceSeconds the mean time of a request that is alone, seconds
 */
public record Usl(double sigma, double kappa, double serviceSeconds) {
    /** The curve of the published figures: at its peak, 12.7 at once, 283 requests a second. */
    public static final Usl DEFAULT = new Usl(0.03, 0.006, 0.020);

    /**
     * A curve with its peak at a given place.
     *
     * @param knee how many at once give the highest rate
     * @param sigma contention
     * @param serviceSeconds the mean time of a request that is alone, seconds
     */
    public static Usl withKnee(double knee, double sigma, double serviceSeconds) {
        return new Usl(sigma, (1 - sigma) / (knee * knee), serviceSeconds);
    }

    /** How many times longer a request takes with n in the database than alone. */
    public double stretch(int n) {
        return 1 + sigma * (n - 1) + kappa * n * (n - 1);
    }

    /** Requests a second that n at once complete. */
    public double rate(int n) {
        return n / (stretch(n) * serviceSeconds);
    }

    /** How many at once give the highest rate. */
    public double knee() {
        return Math.sqrt((1 - sigma) / kappa);
    }

    /** The highest rate, requests a second. */
    public double peakRate() {
        int below = Math.max(1, (int) knee());
        return Math.max(rate(below), rate(below + 1));
    }
}
