// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * Permits of a {@link Gate} that no request has and that stay counted as used: each in a slot for leases, where the next
 * request of the same thread takes it together with the slot. A thread that opens and closes repeatedly takes its permit
 * from memory that no other processor writes; sharing the gate's one word costs two processors 30 ns a cycle.
 *
 * <p>One permit per stripe, because of several one could only be taken by a search. Any number of the permits may be
 * parked, and a thread that finds none in the gate's word takes one from any slot: when at most half of them could be
 * parked, the threads that came first kept the parked ones for good.
 */
public interface ParkedPermits {
    /** No class: any will do, or there is none. */
    int ANY = -1;

    /** Of a gate whose permits are not parked. */
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
     * Takes a permit from a slot whose last lease was of a class, or from any slot.
     *
     * @param requestClass a class's number, or {@link #ANY}
     * @return the class of the permit, which it stays counted for; {@link #ANY} if there was none
     */
    int take(int requestClass);

    /** The number of parked permits, not an atomic snapshot. */
    int count();

    /** The number of parked permits of a class, not an atomic snapshot. */
    default int count(int requestClass) {
        return count();
    }
}
