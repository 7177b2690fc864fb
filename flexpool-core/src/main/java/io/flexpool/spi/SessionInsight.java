// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.spi.PartContext.Leased;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a part knows of the database's side of the leases. Of several parts with an insight the first one counts. Thread-safe. What a
 * method throws is counted and logged, and means that nothing is known.
 */
public interface SessionInsight {
    /**
     * What the server did with the connection of a lease, as it was read last.
     *
     * @param lease its number, as {@link Leased#lease()} has it
     * @param nowNanos the time of the pool's clock
     * @return null if nothing is known
     */
    @Nullable
    SessionState session(long lease, long nowNanos);

    /**
     * Whether more connections would only wait with those that there are: then the pool does not grow, for the reason {@code
     * locked}. Called while the size is decided; must return at once.
     *
     * @param nowNanos the time of the pool's clock
     * @return false if that is not known
     */
    boolean lockedUp(long nowNanos);

    /** The open leases are about to be read by an operator or a backend. May wait for a fraction of a second. */
    void reading();

    /**
     * A request has failed, on whose thread this is called. May wait for a fraction of a second.
     *
     * @param mayConnect whether a connection may be opened: not if the server has just refused one
     * @return what was found; null if nothing can be known of this server
     */
    SessionFindings.@Nullable Query failed(boolean mayConnect);

    /**
     * What a part found of the leases when a request failed, for the explanation: the figures that decide among the causes, and the
     * sentences that name them. A sentence is a clause without a full stop, a line break or a password. Used by one thread.
     */
    interface SessionFindings {
        /** {@return whether the server answered; if not, all figures are 0} */
        boolean answered();

        /** {@return how many leases it answered about, also those that have ended since} */
        int known();

        /** {@return those that run on the server's processors or disks} */
        int busy();

        /** {@return those whose session waits for the application} */
        int idle();

        /**
         * Whether waiting for locks explains the failure.
         *
         * @param longer whether connections are held for longer than usual
         * @return one of the causes {@code BLOCKED}, {@code BLOCKED_BY_HOLDER}, {@code BLOCKED_BY_OTHER}, {@code BLOCKED_BY_DDL}; null
         *     if it does not
         */
        @Nullable
        Cause blocked(boolean longer);

        /** {@return how the holder of a lock of this pool should be changed, a clause that begins with a verb} */
        String remedy();

        /** {@return the open lease that most of those wait for; null if it is unknown, or not this pool's} */
        default @Nullable OpenLease blocker() {
            return null;
        }

        /** {@return how many leases wait for locks, and for which session; empty if none does} */
        List<String> waits();

        /** {@return what the others do; empty if nothing is known} */
        List<String> works();

        /**
         * How the server is, and what could not be seen.
         *
         * @param isFull whether it refused a connection because it has none left
         * @return empty if there is nothing to say
         */
        List<String> server(boolean isFull);

        /** What was read, before it is compared with the leases. */
        interface Query {
            /**
             * Compares it with the open leases.
             *
             * @param open those that are open, oldest first, read after this
             * @param readNanos when these were read, by the pool's clock
             * @return what was found
             */
            SessionFindings with(List<OpenLease> open, long readNanos);
        }
    }

    /**
     * How many sessions the database server has left for the clients of a pool's application, as a part offers it to other parts
     * ({@link PartContext#offered}). Thread-safe. Minor releases add methods.
     */
    interface SessionsLeft {
        /** In place of a figure that is not known. */
        int UNKNOWN = -1;

        /** From now on it is read each minute, unless that is switched off. Called before the pool is used. */
        void eachMinute();

        /**
         * Whether it can be read, at the start of a pool that needs it. Waits for two seconds at most.
         *
         * @return why it can never be read, a clause; null if it can, or if that is not known yet
         */
        @Nullable
        String unseen();

        /** {@return the last reading; null before the first} */
        @Nullable
        Reading last();

        /**
         * How many connections all pools that share them may open together, for the verdict whether that fits.
         *
         * @param connections 0 if the pool shares them with no other
         */
        void together(int connections);

        /** What the server said. Immutable. */
        interface Reading {
            /** {@return when it was read, by the pool's clock, nanoseconds} */
            long nanos();

            /** {@return how many sessions the pool's user may have at most; {@link #UNKNOWN} if unknown} */
            int usable();

            /** {@return how many sessions the application has, all instances together; {@link #UNKNOWN} if unknown} */
            int sessions();

            /** {@return how many of the usable sessions other clients leave to the application; {@link #UNKNOWN} if unknown} */
            int left();

            /**
             * The same for a group of clients of which it is known from elsewhere how many sessions it has.
             *
             * @param own how many sessions it has
             * @return at least 0; {@link #UNKNOWN} if unknown
             */
            int left(int own);

            /** {@return why the server said nothing, a clause; null if it did} */
            @Nullable
            String missing();
        }
    }
}
