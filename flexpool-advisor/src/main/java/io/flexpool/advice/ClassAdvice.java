// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The need of one class of a pool's requests, and whether its guarantee and its maximum fit. Immutable. Made by
 * flexpool's modules alone; minor releases add methods.
 */
public interface ClassAdvice {
    /** {@return the name of the class} */
    String name();

    /** {@return the number of the class's requests on which the advice is based, 1 or more} */
    long requests();

    /** {@return the number of the class's requests that got no connection in time} */
    long timedOut();

    /** {@return the most requests of the class that had or needed a connection at once} */
    int demandMax();

    /**
     * {@return the number of requests of the class that had or needed a connection at once, 99th percentile over time}
     */
    int demandP99();

    /**
     * The 99th percentile of the class's recorded waits, with the pool's size at the time and beside the other classes.
     *
     * @return the wait; the acquisition timeout if more than 1 % timed out
     */
    Duration waitP99();

    /**
     * The smallest number of connections with which 99 % of the class's requests would have waited at most the target,
     * if no other class used them, plus 8 %.
     *
     * @return 1 or more
     */
    int needed();

    /** {@return the number of connections guaranteed to the class; 0 without a guarantee} */
    int guaranteed();

    /** {@return the maximum number of connections of the class; empty without a maximum} */
    OptionalInt max();

    /** {@return whether the guarantee fits the class's need} */
    Fit guaranteeFit();

    /** {@return whether the maximum fits the class's need} */
    Fit maxFit();

    /** {@return the advice as sentences, to be shown as plain text only} */
    String text();

    /** Whether a guarantee or maximum fits a class. Minor releases may add constants. */
    enum Fit {
        /** The class has no guarantee or no maximum. */
        NONE,
        /**
         * The number is too small: requests of the class wait while other classes use the connections, or while
         * connections are idle.
         */
        LOW,
        /** The number is large enough. */
        FITS,
        /** The class never needed its maximum. */
        UNREACHED
    }
}
