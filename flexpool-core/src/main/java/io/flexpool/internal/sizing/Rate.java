// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * Leases that ended, and a time: that in which they ended (a completion rate and what it rests on), or how long they lasted
 * in total.
 */
record Rate(double count, double seconds) {
    static final Rate NONE = new Rate(0, 0);
    /** Keeps a rate of nothing from being infinitely low. */
    private static final double HALF = 0.5;

    /** Nothing is one object: of a pool that rests there are hundreds. */
    static Rate of(double count, double seconds) {
        return count == 0 && seconds == 0 ? NONE : new Rate(count, seconds);
    }

    Rate plus(Rate other) {
        return new Rate(count + other.count, seconds + other.seconds);
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

    /** Mean time of one, seconds; 0 without any. */
    double mean() {
        return count == 0 ? 0 : seconds / count;
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
