// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

/** Acquisitions longer than this are recorded. */
final class AcquisitionFloor extends DurationFloor {
    static final String DEFAULT = "10 ms";

    /** Called by JFR. */
    AcquisitionFloor() {
        super(DEFAULT);
    }
}
