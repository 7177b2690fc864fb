// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.pool.AcquisitionOutcome;

/**
 * The requests of a pool that have ended since the block before, in no order: those whose lease has ended, and those that got
 * no connection. Made by flexpool alone, once a tick, also if no request has ended; minor releases add methods.
 *
 * <p>Valid only during {@link LeaseSink#take}: the next block uses the same memory, so that recording leaves nothing to
 * collect. Times are those of the pool's clock, in nanoseconds with a resolution of 64; a wait counts as at most 68 s, a lease
 * as at most 18 min.
 */
public interface LeaseBlock {
    /** {@return how many requests there are, 0 or more} */
    int size();

    /**
     * When a request asked.
     *
     * @param request its index in this block, from 0
     * @return the time of the pool's clock; only differences have a meaning
     */
    long arrivalNanos(int request);

    /**
     * How long a request waited, until it got a connection or failed.
     *
     * @param request its index in this block, from 0
     * @return nanoseconds, 0 or more
     */
    long waitNanos(int request);

    /**
     * How long a lease was.
     *
     * @param request its index in this block, from 0
     * @return nanoseconds, 0 or more; 0 of a request that got no connection
     */
    long leaseNanos(int request);

    /**
     * How a request ended: for any outcome but {@link AcquisitionOutcome#OK} it had no lease, though it wanted one.
     *
     * @param request its index in this block, from 0
     * @return its outcome
     */
    AcquisitionOutcome outcome(int request);

    /**
     * Where the application made a request. As a rule a sample of the requests has one ({@code call-sites.capture}).
     *
     * @param request its index in this block, from 0
     * @return {@code Class.method(File:line)}, the same object for the same place; empty if it was not captured
     */
    String callSite(int request);

    /**
     * The class of a request, in a pool with classes of requests.
     *
     * @param request its index in this block, from 0
     * @return its name, the same object for the same class; empty if the pool has one class for all
     */
    default String requestClass(int request) {
        return "";
    }

    /**
     * The thread that made a request, as a number from 1 to 1,024 that several threads may share.
     *
     * @param request its index in this block, from 0
     * @return 0 if it is not known
     */
    int thread(int request);

    /**
     * Whether the thread held another connection of this pool when it made a request.
     *
     * @param request its index in this block, from 0
     * @return false also if that is not known
     */
    boolean nested(int request);

    /** {@return the time of the pool's clock at which the block was taken, nanoseconds} */
    long takenNanos();

    /** {@return how many requests had or wanted a connection then} */
    int demand();

    /** {@return how many requests have ended since the block before and were not recorded, for lack of room} */
    long lost();

    /** {@return how many leases have ended since the block before and were not recorded, because no sink wanted them} */
    long unwanted();
}
