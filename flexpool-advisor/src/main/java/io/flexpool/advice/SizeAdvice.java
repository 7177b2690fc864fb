// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import java.time.Duration;
import java.util.List;

/**
 * How many connections a pool needs, and the evidence for it. Immutable. Made by flexpool's modules alone; minor releases
 * add methods.
 */
public interface SizeAdvice {
    /** {@return the verdict on the current size} */
    Verdict verdict();

    /**
     * The recommended size.
     *
     * @return 1 or more; the current size if a larger one may be needed but no evidence shows that the database can serve it
     */
    int connections();

    /** {@return how many connections to keep open, from 1 to {@link #connections()}} */
    int minIdle();

    /** {@return the recommended acquisition timeout, more than zero} */
    Duration timeout();

    /** {@return how far to trust the advice} */
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

    /** {@return the requests that had or needed a connection at once, 99th percentile over time} */
    int demandP99();

    /** {@return the requests that had or needed a connection at once, median over time} */
    int demandP50();

    /** {@return the limits of the advice and the data left out, as sentences, most important first; unmodifiable} */
    List<String> notes();

    /**
     * The advice on each class of the pool's requests.
     *
     * @return the classes with requests, in their order; empty if the pool has one class for all; unmodifiable
     */
    default List<? extends ClassAdvice> classes() {
        return List.of();
    }

    /** {@return the advice as one paragraph; names call sites of the application, to be shown as plain text only} */
    String text();

    /** The verdict on the current size. Minor releases may add constants. */
    enum Verdict {
        /** Fewer connections would have been enough. */
        FEWER,
        /** Today's size is right. */
        KEEP,
        /** More connections would have made requests wait less, and the database has capacity for them. */
        MORE,
        /** Requests wait too long, and nothing shows whether more connections would help or slow the database. */
        UNKNOWN,
        /** Requests wait too long because the database does no more work with more connections. */
        DATABASE
    }

    /** How far to trust an advice. */
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
