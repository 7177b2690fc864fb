// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;
import java.util.List;

/** Makes gates with classes whose requests are all of the first one: they do what a gate without classes does. */
final class OneClass {
    private OneClass() {}

    static Gate gate(int limit, Ticker ticker, AcquisitionOrder order) {
        ClassShare all = new ClassShare(0.5, Integer.MAX_VALUE);
        ClassShare unused = new ClassShare(0.5, 1);
        return new ClassGate(limit, ticker, order, List.of(all, unused), false).gate();
    }
}
