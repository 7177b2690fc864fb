// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import org.jspecify.annotations.Nullable;

/**
 * How many sessions the database server has left for the clients of a pool's application, as a part offers it to other parts
 * ({@link PartContext#offered}). Thread-safe. Minor releases add methods.
 */
public interface SessionsLeft {
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
