// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * What one class of a pool's requests needs, and whether its guarantee and its maximum fit. Immutable. Made by flexpool's modules
 * alone; minor releases add methods.
 */
public interface ClassAdvice {
    /** {@return the name of the class} */
    String name();

    /** {@return how many of its requests this is based on, 1 or more} */
    long requests();

    /** {@return how many of them got no connection in time} */
    long timedOut();

    /** {@return how many of its requests had or wanted a connection at once, at most} */
    int demandMax();

    /** {@return how many had or wanted one for all but 1 % of the time} */
    int demandP99();

    /**
     * What 99 % of its requests did not exceed in waiting, as recorded: with the connections that the pool had, and beside the
     * other classes.
     *
     * @return the acquisition timeout if more than 1 % timed out
     */
    Duration waitP99();

    /**
     * The smallest number of connections with which 99 % of its requests would have waited at most the target, if it had these
     * alone, and 8 % more.
     *
     * @return 1 or more
     */
    int needed();

    /** {@return how many connections it is guaranteed; 0 if it has no guarantee} */
    int guaranteed();

    /** {@return how many connections it ever has at once; empty for any number} */
    OptionalInt max();

    /** {@return whether it is guaranteed what it needs} */
    Fit guaranteeFit();

    /** {@return whether its maximum allows what it needs} */
    Fit maxFit();

    /** {@return all of it as sentences, to be shown as plain text only} */
    String text();

    /** Whether a number of connections fits a class. Minor releases may add constants. */
    enum Fit {
        /** There is no such number. */
        NONE,
        /** The class needs more: its requests wait while the connections that it needs are used by others or idle. */
        LOW,
        /** It is enough. */
        FITS,
        /** The class never wanted so many at once. */
        UNREACHED
    }
}
