// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.List;

/**
 * The past of one pool: an hour of its figures, of each second for five minutes and of ten seconds each before that. Read by
 * {@code pool.view(PoolHistory.class)}. Times are counted from when the pool was wrapped, so that a clock that is set does not
 * move them against each other. Thread-safe. Made by flexpool alone; minor releases add methods.
 */
public interface PoolHistory {
    /** {@return how long ago the pool was wrapped; not negative} */
    Duration lived();

    /**
     * The intervals, which do not overlap. One in which flexpool did not sample the pool is missing: the machine or the
     * pool stood still.
     *
     * @param since leaves out the intervals that have ended by then, not negative; zero for all
     * @return at most 671, oldest first; the last one may not have ended; a copy, immutable
     */
    List<Interval> intervals(Duration since);

    /**
     * The figures of one second or of ten. The sampled ones are the extremes of samples that are 250 ms apart. Immutable.
     * Made by flexpool alone; minor releases add methods.
     */
    interface Interval {
        /** {@return the time from when the pool was wrapped to the begin of this interval, whole seconds} */
        Duration begin();

        /** {@return one second or ten} */
        Duration length();

        /** {@return the most active connections, 0 to 32,767} */
        int active();

        /** {@return the fewest idle connections; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} if the pool does not say} */
        int idle();

        /** {@return the most pending requests, 0 to 32,767} */
        int pending();

        /** {@return the highest limit; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} while flexpool did not limit the pool} */
        int limit();

        /** {@return the pool's highest max; {@link io.flexpool.pool.PoolSnapshot#UNKNOWN} if the pool does not say} */
        int max();

        /**
         * The requests that ended within this interval, up to 250 ms early or late.
         *
         * @param outcome how they ended
         * @return not negative; for other outcomes than {@link AcquisitionOutcome#OK} at most 65,535, which then stands
         *     for more
         */
        int acquisitions(AcquisitionOutcome outcome);
    }
}
