// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;

class GateEdgeTest extends GateEdgeContract {
    @Override
    Gate gate(int limit, Ticker clock) {
        return new Gate(limit, clock);
    }
}
