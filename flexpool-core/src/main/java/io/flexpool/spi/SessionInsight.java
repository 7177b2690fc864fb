// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.spi.PartContext.Leased;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part's information on the sessions of leases in the server. If several parts have one, flexpool uses the first.
 * Thread-safe. Exceptions are counted and logged, and count as unknown.
 */
public interface SessionInsight {
    /**
     * The server's last read state of a leased connection's session.
     *
     * @param lease the lease's number, see {@link Leased#lease()}
     * @param nowNanos the time of the pool's clock
     * @return the state; null if unknown
     */
    @Nullable
    SessionState session(long lease, long nowNanos);

    /**
     * Whether more connections would only wait for the same locks: then the pool does not grow, for the reason
     * {@code locked}. Called while the size is decided; must return at once.
     *
     * @param nowNanos the time of the pool's clock
     * @return false also if unknown
     */
    boolean lockedUp(long nowNanos);

    /** Called before an operator or a backend reads the open leases, to refresh them. May wait a fraction of a second. */
    void reading();

    /**
     * Called on the thread of a failed request. May wait for a fraction of a second.
     *
     * @param mayConnect whether a connection may be opened: false if the server has just refused one
     * @return the result; null if this server cannot be queried
     */
    SessionFindings.@Nullable Query failed(boolean mayConnect);

    /**
     * A part's findings on the leases when a request failed, for the explanation: the figures that decide the cause,
     * and sentences. A sentence is a clause without a full stop, a line break or a password. Used by one thread.
     */
    interface SessionFindings {
        /** {@return whether the server answered; otherwise all figures are 0} */
        boolean answered();

        /** {@return the number of leases that the server reported, also ended ones} */
        int known();

        /** {@return the number of leases that run on the server's processors or disks} */
        int busy();

        /** {@return the number of leases with a session that waits for the application} */
        int idle();

        /**
         * Whether waiting for locks explains the failure.
         *
         * @param longer whether connections are held for longer than usual
         * @return one of the causes {@code BLOCKED}, {@code BLOCKED_BY_HOLDER}, {@code BLOCKED_BY_OTHER},
         *     {@code BLOCKED_BY_DDL}; null otherwise
         */
        @Nullable
        Cause blocked(boolean longer);

        /** {@return advice on the lock for which this pool's leases wait, a clause} */
        String remedy();

        /** {@return the open lease for which most blocked leases wait; null if unknown, or of another pool} */
        default @Nullable OpenLease blocker() {
            return null;
        }

        /** {@return clauses on leases that wait for locks and on blocking sessions; empty if no lease waits} */
        List<String> waits();

        /** {@return the activity of the other leases; empty if unknown} */
        List<String> works();

        /**
         * Describes the state of the server, and names the data that the pool's user may not read.
         *
         * @param isFull whether the server refused a connection because a limit is reached
         * @return sentences; empty without findings
         */
        List<String> server(boolean isFull);

        /** The data of one query, not yet compared with the leases. */
        interface Query {
            /**
             * Compares the data with the open leases.
             *
             * @param open the open leases, oldest first, read after the query
             * @param readNanos when the leases were read, by the pool's clock
             * @return what was found
             */
            SessionFindings with(List<OpenLease> open, long readNanos);
        }
    }

    /**
     * The number of sessions that the database server has left for a pool's application. One part offers it to others
     * ({@link PartContext#offered}). Thread-safe. Minor releases add methods.
     */
    interface SessionsLeft {
        /** The value of an unknown figure. */
        int UNKNOWN = -1;

        /** Starts to read the number each minute, unless disabled. Called before the pool is used. */
        void eachMinute();

        /**
         * Whether the number can be read, at the start of a pool that needs it. Waits for at most two seconds.
         *
         * @return the reason why it can never be read, a clause; null if it can, or if unknown yet
         */
        @Nullable
        String unseen();

        /** {@return the last reading; null before the first} */
        @Nullable
        Reading last();

        /**
         * Sets how many connections all sharing pools may open together, for the check whether they fit.
         *
         * @param connections the number; 0 if the pool shares with no other pool
         */
        void together(int connections);

        /** One reading of the server. Immutable. */
        interface Reading {
            /** {@return the time of the reading, by the pool's clock, nanoseconds} */
            long nanos();

            /** {@return the maximum number of sessions of the pool's user; {@link #UNKNOWN} if unknown} */
            int usable();

            /** {@return how many sessions the application has, all instances together; {@link #UNKNOWN} if unknown} */
            int sessions();

            /**
             * {@return how many usable sessions other clients leave to the application; {@link #UNKNOWN} if unknown}
             */
            int left();

            /**
             * Like {@link #left()}, for a group of clients with a known number of sessions.
             *
             * @param own the number of sessions of the group
             * @return the number, at least 0; {@link #UNKNOWN} if unknown
             */
            int left(int own);

            /** {@return the reason if the server reported no numbers, a clause; otherwise null} */
            @Nullable
            String missing();
        }
    }
}
