// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.List;

/**
 * The history of one pool: an hour of its figures, in intervals of one second for the last five minutes, and of ten
 * seconds before. Read by {@code pool.view(PoolHistory.class)}. Times count from the wrapping of the pool, so that a
 * change of the clock does not shift them. Thread-safe. Made by flexpool alone; minor releases add methods.
 */
public interface PoolHistory {
    /** {@return the time since the pool was wrapped; not negative} */
    Duration lived();

    /**
     * The intervals, which do not overlap. An interval is missing if it has no sample, because the machine or the pool
     * hung.
     *
     * @param since a time after the wrapping, not negative: intervals that ended before this time are omitted; zero
     *     returns all intervals
     * @return at most 671 intervals, oldest first; the last may not have ended; a copy, immutable
     */
    List<Interval> intervals(Duration since);

    /**
     * The figures of one second or of ten seconds. Sampled figures are the extremes of samples every 250 ms. Immutable.
     * Made by flexpool alone; minor releases add methods.
     */
    interface Interval {
        /** {@return the time from the wrapping of the pool to the start of this interval, in whole seconds} */
        Duration begin();

        /** {@return one second or ten seconds} */
        Duration length();

        /** {@return the most active connections, 0 to 32,767} */
        int active();

        /** {@return the fewest idle connections; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} if not reported} */
        int idle();

        /** {@return the most pending requests, 0 to 32,767} */
        int pending();

        /** {@return the highest limit; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} while flexpool did not limit the pool} */
        int limit();

        /** {@return the pool's highest max; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} if not reported} */
        int max();

        /**
         * The number of requests that ended within this interval, up to 250 ms early or late.
         *
         * @param outcome the outcome of the requests
         * @return the number; for outcomes other than {@link AcquisitionOutcome#OK} at most 65,535, which also stands
         *     for larger numbers
         */
        int acquisitions(AcquisitionOutcome outcome);
    }
}
