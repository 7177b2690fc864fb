// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * Permits of a {@link Gate} that are not in use but stay counted as used. Each is in a slot for leases, where the next
 * request of the same thread takes it together with the slot. A thread that opens and closes repeatedly takes its
 * permit from memory that no other processor writes; sharing the gate's state word costs two processors 30 ns per open
 * and close.
 *
 * <p>A slot holds at most one permit: with several, a request would have to search. All permits may be parked, and a
 * thread that finds no permit in the gate takes one from any slot. If only half of the permits could be parked, the
 * first threads would keep all parked permits.
 */
public interface ParkedPermits {
    /** As argument: any class. As result: no permit. */
    int ANY = -1;

    /** The instance for a gate that does not park permits. */
    ParkedPermits NONE = new ParkedPermits() {
        @Override
        public int take(int requestClass) {
            return ANY;
        }

        @Override
        public int count() {
            return 0;
        }
    };

    /**
     * Takes a permit that was last used by a class, or any permit.
     *
     * @param requestClass a class's number, or {@link #ANY}
     * @return the class for which the permit stays counted; {@link #ANY} if there was none
     */
    int take(int requestClass);

    /** The number of parked permits, not an atomic snapshot. */
    int count();

    /** The number of parked permits of a class, not an atomic snapshot. */
    default int count(int requestClass) {
        return count();
    }
}
