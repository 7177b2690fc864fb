// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;

/** The same of a gate with classes, all of whose requests are of one. */
class OneClassModelPropertyTest extends GateModelPropertyTest {
    @Override
    Gate gate(int limit, Ticker clock) {
        return OneClass.gate(limit, clock, AcquisitionOrder.FAIR);
    }
}
