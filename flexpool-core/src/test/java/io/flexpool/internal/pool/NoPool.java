// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.spi.HeldConnection;
import java.util.List;
import java.util.function.Supplier;

/** For parts of a pool that nothing is leased from. */
final class NoPool implements PartPool {
    @Override
    public List<OpenLease> openLeases(long nowNanos) {
        return List.of();
    }

    @Override
    public int knee() {
        return 0;
    }

    @Override
    public Supplier<List<HeldConnection>> heldConnections() {
        return List::of;
    }

    @Override
    public void moved(String why) {}
}
