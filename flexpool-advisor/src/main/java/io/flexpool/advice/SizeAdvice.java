// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import java.time.Duration;
import java.util.List;

/**
 * The number of connections that a pool needs, and the evidence. Immutable. Made by flexpool's modules alone; minor
 * releases add methods.
 */
public interface SizeAdvice {
    /** {@return the verdict on the current size} */
    Verdict verdict();

    /**
     * The recommended size.
     *
     * @return 1 or more; the current size if a larger one may be needed, but without evidence that the database can
     *     serve it
     */
    int connections();

    /** {@return the recommended minimum of open connections, from 1 to {@link #connections()}} */
    int minIdle();

    /** {@return the recommended acquisition timeout, more than zero} */
    Duration timeout();

    /** {@return the confidence in the advice} */
    Confidence confidence();

    /** {@return the waits that requests would have had with other sizes, ascending by size; unmodifiable} */
    List<? extends Point> curve();

    /** {@return the pool's size when the advice was made, 1 or more} */
    int current();

    /** {@return the wait that 99 % of the requests must not exceed, more than zero} */
    Duration waitTarget();

    /** {@return the number of requests on which the advice is based, 1 or more} */
    long requests();

    /** {@return the number of requests that got no connection in time} */
    long timedOut();

    /** {@return the time from the first request to the last} */
    Duration span();

    /** {@return the most requests that had or needed a connection at once} */
    int demandMax();

    /** {@return the number of requests that had or needed a connection at once, 99th percentile over time} */
    int demandP99();

    /** {@return the number of requests that had or needed a connection at once, median over time} */
    int demandP50();

    /** {@return the limits of the advice and the omitted data, as sentences, most important first; unmodifiable} */
    List<String> notes();

    /**
     * The advice on each class of the pool's requests.
     *
     * @return the classes with requests, in their order; empty if the pool has one class for all; unmodifiable
     */
    default List<? extends ClassAdvice> classes() {
        return List.of();
    }

    /** {@return the advice as one paragraph; contains call sites of the application, so show it as plain text only} */
    String text();

    /** The verdict on the current size. Minor releases may add constants. */
    enum Verdict {
        /** Fewer connections would have been enough. */
        FEWER,
        /** The current size is right. */
        KEEP,
        /** With more connections requests would have waited less, and the database has the capacity. */
        MORE,
        /** Requests wait too long, and it is unknown whether more connections would help or slow the database. */
        UNKNOWN,
        /**
         * Requests wait too long, and more connections would not help, because the database's throughput no longer
         * rises.
         */
        DATABASE
    }

    /** The confidence in advice. */
    enum Confidence {
        /** Too few requests, too short a time, or too many requests without a known lease. */
        LOW,
        /** Another recording of the same load would give a somewhat different size. */
        MEDIUM,
        /** Another recording of the same load would give nearly the same size. */
        HIGH
    }

    /** The waits that requests would have had with one size. Immutable. */
    interface Point {
        /** {@return the size, 1 or more} */
        int connections();

        /** {@return the median wait, nanoseconds} */
        long p50Nanos();

        /** {@return the 99th percentile of the wait, nanoseconds; the timeout if more than 1 % time out} */
        long p99Nanos();

        /** {@return the 99.9th percentile of the wait, nanoseconds; the timeout if more than 0.1 % time out} */
        long p999Nanos();

        /** {@return the share of the requests that time out, 0 to 1} */
        double timedOut();
    }
}
