// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what the requests of one pool did. Called by flexpool's own thread, one call at a time, never on a request's way. */
public interface LeaseSink extends AutoCloseable {
    /**
     * Takes a block, and returns soon: until then the pool's figures stand still. An exception is counted and logged; the
     * block is lost to this sink then.
     *
     * @param block what has ended since the block before; not to be kept
     */
    void take(LeaseBlock block);

    /**
     * Which requests are wanted until the next tick, about a quarter of a second later. What no sink wants is counted
     * ({@link LeaseBlock#unwanted}) and not recorded, which costs a pool with many requests less. Requests that took
     * {@link WantedArrivals#LONG_NANOS} or longer and those that got no connection come in any case, and so may others that
     * are not wanted.
     *
     * @param nowNanos the time of the pool's clock
     * @return null if all are wanted, which is the default
     */
    default @Nullable WantedArrivals wanted(long nowNanos) {
        return null;
    }

    /**
     * That it takes no more, or writes no more, and why: it is shown in the pool's {@link
     * io.flexpool.monitoring.PoolDiagnosis.Housekeeping#troubles()}. Called by any thread.
     *
     * @return a sentence without a full stop and without a password; null if it works, which is the default
     */
    default @Nullable String trouble() {
        return null;
    }

    /**
     * Takes the leases that have not ended when flexpool's watch does, after the last block and before the end. By default they
     * are left out.
     *
     * @param leases the oldest first; each may end meanwhile
     * @param nowNanos the time of the pool's clock
     */
    default void takeOpen(List<OpenLease> leases, long nowNanos) {}

    /** Ends it, after its last block. Called once, when the pool is closed or released. */
    @Override
    void close();

    /**
     * The requests of a pool that have ended since the block before, in no order: those whose lease has ended, and those that got
     * no connection. Made by flexpool alone, once a tick, also if no request has ended; minor releases add methods.
     *
     * <p>Valid only during {@link LeaseSink#take}: the next block uses the same memory, so that recording leaves nothing to
     * collect. Times are those of the pool's clock, in nanoseconds with a resolution of 64; a wait counts as at most 68 s, a lease
     * as at most 18 min.
     */
    interface LeaseBlock {
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
         * Where the application made a request. As a rule a sample of the requests has one ({@code call-sites.sample-every}).
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

        /**
         * How much of a lease was outside the database in one phase.
         *
         * @param request its index in this block, from 0
         * @param phase which part of the lease
         * @return 0 to 1; NaN if no statement was seen, as in all leases unless {@code time-in-database} is on
         */
        default double idleShare(int request, Phase phase) {
            return Double.NaN;
        }

        /** {@return the time of the pool's clock at which the block was taken, nanoseconds} */
        long takenNanos();

        /** {@return how many requests had or wanted a connection then} */
        int demand();

        /** {@return how many requests have ended since the block before and were not recorded, for lack of room} */
        long lost();

        /** {@return how many leases have ended since the block before and were not recorded, because no sink wanted them} */
        long unwanted();

        /** The parts of a lease between which its statements are. */
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
     * Which requests a {@link LeaseSink} wants, by the time at which they asked. Immutable.
     *
     * @param fromNanos the first wanted, by the pool's clock
     * @param untilNanos the first not wanted any more; the same as {@code fromNanos} if none is wanted
     */
    record WantedArrivals(long fromNanos, long untilNanos) {
        /** Requests that took so long, from the moment they asked until their lease ended, are wanted by every sink. */
        public static final long LONG_NANOS = 1_000_000_000;
    }
}
