// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;

/** The same of a gate with classes, all of whose requests are of one. */
class OneClassCrowdPropertyTest extends GateCrowdPropertyTest {
    @Override
    Gate gate() {
        return OneClass.gate(1, Ticker.SYSTEM, AcquisitionOrder.FAIR);
    }
}
