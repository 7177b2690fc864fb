// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;

/** Leaves the size as it was at the start: a pool of fixed size. */
final class StaticSize implements SimController {
    @Override
    public String name() {
        return Contender.BEST_STATIC.toString();
    }

    @Override
    public int onTick(PoolWindow window) {
        return window.limit();
    }
}
