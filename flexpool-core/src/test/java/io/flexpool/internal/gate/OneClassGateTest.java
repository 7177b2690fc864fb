// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;

/** The same of a gate with classes, all of whose requests are of one. */
class OneClassGateTest extends GateContract {
    @Override
    Gate gate(int limit, Ticker ticker, AcquisitionOrder order) {
        return OneClass.gate(limit, ticker, order);
    }
}
