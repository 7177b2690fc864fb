// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A part's insight that the leases wait for locks in the server, or not, and that knows nothing else. */
public class LockedUp implements SessionInsight {
    private final AtomicBoolean locked;

    public LockedUp(AtomicBoolean locked) {
        this.locked = locked;
    }

    @Override
    public @Nullable SessionState session(long lease, long nowNanos) {
        return null;
    }

    @Override
    public boolean lockedUp(long nowNanos) {
        return locked.get();
    }

    @Override
    public void reading() {}

    @Override
    public SessionFindings.@Nullable Query failed(boolean mayConnect) {
        return null;
    }
}
