// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/** A number of ended leases and a time: the period in which they ended (a rate), or the sum of their durations. */
record Rate(double count, double seconds) {
    static final Rate NONE = new Rate(0, 0);
    /** Added to the count, so that the logarithm of a zero rate is finite. */
    private static final double HALF = 0.5;

    /** The only instance of zero, because an idle pool has hundreds of them. */
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

    /** The mean lease time, seconds; 0 without leases. */
    double mean() {
        return count == 0 ? 0 : seconds / count;
    }

    /** The logarithm of the ratio of this rate to an earlier one. */
    double gainOver(Rate before) {
        return Math.log((count + HALF) / seconds) - Math.log((before.count + HALF) / before.seconds);
    }

    /** The standard error of that logarithm, if completions are a Poisson process. */
    double errorAgainst(Rate before) {
        return Math.sqrt(1 / (count + HALF) + 1 / (before.count + HALF));
    }
}
