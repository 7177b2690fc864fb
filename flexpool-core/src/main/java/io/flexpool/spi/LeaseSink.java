// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the requests of one pool. Called by flexpool's own thread, one call at a time, never by a request. */
public interface LeaseSink extends AutoCloseable {
    /**
     * Receives a block. Must return soon: until then the pool's figures are not updated. An exception is counted and
     * logged, and this sink loses the block.
     *
     * @param block the requests that have ended since the last block; must not be kept
     */
    void take(LeaseBlock block);

    /**
     * The requests to record until the next tick, about a quarter of a second later. Requests that no sink wants are
     * counted ({@link LeaseBlock#unwanted}) but not recorded, which costs a pool with many requests less. Requests that
     * took {@link WantedArrivals#LONG_NANOS} or longer, and requests without a connection, are always wanted; other
     * unwanted requests may be recorded.
     *
     * @param nowNanos the time of the pool's clock
     * @return the requests; null, as by default, for all
     */
    default @Nullable WantedArrivals wanted(long nowNanos) {
        return null;
    }

    /**
     * The reason why the sink has stopped to take or write blocks, shown in the pool's
     * {@link io.flexpool.monitoring.PoolDiagnosis.Housekeeping#troubles()}. Called by any thread.
     *
     * @return a sentence without a full stop and without a password; null, as by default, if the sink works
     */
    default @Nullable String trouble() {
        return null;
    }

    /**
     * Receives the leases that are open when flexpool's monitoring ends, after the last block. Ignored by default.
     *
     * @param leases the leases, oldest first; each may end meanwhile
     * @param nowNanos the time of the pool's clock
     */
    default void takeOpen(List<OpenLease> leases, long nowNanos) {}

    /** Ends the sink, after its last block. Called once, when the pool is closed or released. */
    @Override
    void close();

    /**
     * The requests of a pool that have ended since the last block, in no order: with an ended lease, or without a
     * connection. Made by flexpool alone, once a tick, also if no request has ended; minor releases add methods.
     *
     * <p>Valid only during {@link LeaseSink#take}: the next block uses the same memory, so that recording leaves no
     * garbage. Times are of the pool's clock, in nanoseconds with a resolution of 64; a wait counts as at most 68 s, a
     * lease as at most 18 min.
     */
    interface LeaseBlock {
        /** {@return the number of requests, 0 or more} */
        int size();

        /**
         * When a request was made.
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
         * The length of a lease.
         *
         * @param request its index in this block, from 0
         * @return nanoseconds, 0 or more; 0 for a request without a connection
         */
        long leaseNanos(int request);

        /**
         * How a request ended: with an outcome other than {@link AcquisitionOutcome#OK} it had no lease.
         *
         * @param request its index in this block, from 0
         * @return its outcome
         */
        AcquisitionOutcome outcome(int request);

        /**
         * Where the application made a request. By default a sample of the requests has it
         * ({@code call-sites.sample-every}).
         *
         * @param request its index in this block, from 0
         * @return {@code Class.method(File:line)}, the same object for the same place; empty if not captured
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
         * @return the number; 0 if unknown
         */
        int thread(int request);

        /**
         * Whether the thread held another connection of this pool when it made a request.
         *
         * @param request its index in this block, from 0
         * @return false also if unknown
         */
        boolean nested(int request);

        /**
         * The share of a lease outside the database in one phase.
         *
         * @param request its index in this block, from 0
         * @param phase the part of the lease
         * @return 0 to 1; NaN if no statement was recorded, as in all leases without {@code time-in-database}
         */
        default double idleShare(int request, Phase phase) {
            return Double.NaN;
        }

        /** {@return the time of the pool's clock at which the block was taken, nanoseconds} */
        long takenNanos();

        /** {@return the number of requests that had or needed a connection then} */
        int demand();

        /** {@return the requests since the last block that were not recorded, for lack of memory} */
        long lost();

        /** {@return the leases since the last block that were not recorded, because no sink wanted them} */
        long unwanted();

        /** The parts of a lease outside its statements. */
        enum Phase {
            /** Before the first statement. */
            BEFORE,
            /** Between two statements. */
            BETWEEN,
            /** After the last statement, without commit and rollback. */
            AFTER
        }
    }

    /**
     * The requests that a {@link LeaseSink} wants, by the time at which they were made. Immutable.
     *
     * @param fromNanos the first wanted time, by the pool's clock
     * @param untilNanos the end, exclusive; equal to {@code fromNanos} for no request
     */
    record WantedArrivals(long fromNanos, long untilNanos) {
        /** Requests that took at least this long, from the request to the lease's end, are wanted by every sink. */
        public static final long LONG_NANOS = 1_000_000_000;
    }
}
