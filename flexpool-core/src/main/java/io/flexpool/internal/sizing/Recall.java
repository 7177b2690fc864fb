// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * What a load needed when it last came. Bursts come again: the formula reckons with leases as in calm, and what it left to
 * be found by trying need not be found again. It is a size to begin with, tried and judged like any other.
 */
final class Recall {
    /** Bursts of every few minutes are known again; what a day brings is not, for the database may be another by then. */
    private static final double REMEMBERS_SECONDS = 300;
    /** A burst that began a tick ago shows half of its rate in the half second that is looked at. */
    private static final double ALIKE = 0.5;

    private int limit;
    private double arrivalRate;
    private double ends;
    private boolean givenBack;

    /** A step was kept, with a database as in calm. */
    void kept(int at, double arrivals, double now) {
        if (at >= limit || arrivals >= arrivalRate || now >= ends) {
            limit = at;
            arrivalRate = arrivals;
        }
        ends = now + REMEMBERS_SECONDS;
    }

    /** Growth is given back in calm: when the load comes again, it is another burst. */
    void givenBack() {
        givenBack = true;
    }

    /** A step did not help: within this burst the database says more than the one before. */
    void contradicted() {
        givenBack = false;
    }

    /** The database is another. */
    void forget() {
        ends = 0;
        limit = 0;
    }

    /** The limit with which as many requests were served before; 0 if that is not known. */
    int limitFor(double arrivals, double now) {
        return givenBack && now < ends && arrivals >= ALIKE * arrivalRate ? limit : 0;
    }
}
