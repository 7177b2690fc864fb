// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

/** Leases longer than this are recorded. */
final class LeaseFloor extends DurationFloor {
    static final String DEFAULT = "100 ms";

    /** Called by JFR. */
    LeaseFloor() {
        super(DEFAULT);
    }
}
