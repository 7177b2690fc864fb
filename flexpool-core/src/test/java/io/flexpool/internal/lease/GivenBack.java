// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.internal.gate.Gate;

/** Gives slots back as the admission of a limited pool does. */
final class GivenBack {
    private GivenBack() {}

    /** Returns whether the permit was parked. */
    static boolean parked(Gate gate, Slot slot, long nowNanos, long heldNanos) {
        if (slot.parks && gate.canPark(nowNanos, heldNanos)) {
            // What it records, the tests record themselves.
            slot.step = Slot.COUNTED;
            slot.park(heldNanos);
            gate.afterPark(nowNanos, heldNanos);
            return true;
        }
        slot.vacate();
        gate.exit(nowNanos, heldNanos, 0);
        return false;
    }
}
