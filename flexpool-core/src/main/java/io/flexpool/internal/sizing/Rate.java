// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * A completion rate and what it rests on.
 *
 * @param count leases that ended
 * @param seconds in so much time
 */
record Rate(double count, double seconds) {
    static final Rate NONE = new Rate(0, 0);
    /** Keeps a rate of nothing from being infinitely low. */
    private static final double HALF = 0.5;

    Rate plus(double more, double time) {
        return new Rate(count + more, seconds + time);
    }

    Rate plus(Rate other) {
        return plus(other.count, other.seconds);
    }

    Rate minus(Rate part) {
        return new Rate(count - part.count, seconds - part.seconds);
    }

    Rate times(double share) {
        return new Rate(count * share, seconds * share);
    }

    boolean known() {
        return seconds > 0;
    }

    /** Leases a second; NaN without any time. */
    double perSecond() {
        return seconds > 0 ? count / seconds : Double.NaN;
    }

    /** The logarithm of how much higher this rate is than another. */
    double gainOver(Rate before) {
        return Math.log((count + HALF) / seconds) - Math.log((before.count + HALF) / before.seconds);
    }

    /** By how much that logarithm is off, one standard deviation, if leases end as randomly as requests come. */
    double errorAgainst(Rate before) {
        return Math.sqrt(1 / (count + HALF) + 1 / (before.count + HALF));
    }
}
