// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a part of the pool knows of the database's side of the leases; nothing if no part does. Thread-safe. */
public final class Insight implements SessionInsight {
    private final ListenerGuard listeners;
    /** Null if no part has one. */
    private volatile @Nullable SessionInsight part;

    private volatile String who = "a part";
    /** Null if the pool has no part. */
    private volatile @Nullable Supplier<List<String>> findings;

    Insight(ListenerGuard listeners) {
        this.listeners = listeners;
    }

    /** Sets the part that knows it; the first one stays. */
    public void set(String name, SessionInsight insight) {
        if (part == null) {
            who = name;
            part = insight;
        }
    }

    /** Sets what reads the findings of all parts, and never throws. */
    public void findings(Supplier<List<String>> ofParts) {
        findings = ofParts;
    }

    /** What any part knows that can have made a request fail: a clause each. */
    public List<String> findings() {
        Supplier<List<String>> read = findings;
        return read == null ? List.of() : read.get();
    }

    @Override
    public @Nullable SessionState session(long lease, long nowNanos) {
        SessionInsight known = part;
        return known == null ? null : listeners.ask(who, () -> known.session(lease, nowNanos), null);
    }

    @Override
    public boolean lockedUp(long nowNanos) {
        SessionInsight known = part;
        return known != null && listeners.ask(who, () -> known.lockedUp(nowNanos), false);
    }

    @Override
    public void reading() {
        SessionInsight known = part;
        if (known != null) {
            listeners.guard(who, known::reading);
        }
    }

    @Override
    public SessionFindings.@Nullable Query failed(boolean mayConnect) {
        SessionInsight known = part;
        return known == null ? null : listeners.ask(who, () -> known.failed(mayConnect), null);
    }
}
