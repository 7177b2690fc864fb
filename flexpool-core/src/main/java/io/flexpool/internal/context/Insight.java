// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a part of the pool knows of the database's side of the leases; nothing if no part does. Thread-safe. */
public final class Insight implements SessionInsight {
    private final ListenerGuard listeners;
    /** Null if no part has one. */
    private volatile @Nullable SessionInsight part;

    private volatile String who = "a part";
    private volatile @Nullable Findings findings;

    /** What the parts of a pool know of a failure. Never throws. */
    public interface Findings {
        /** What any of them knows that can have made a request fail: a clause each. */
        List<String> findings();

        /** What to do about that, where it explains a cause; else null. */
        @Nullable
        String advice(Cause cause);
    }

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

    /** Sets the findings of all parts. */
    public void findings(Findings ofParts) {
        findings = ofParts;
    }

    /** Those of all parts; null if the pool has none. */
    public @Nullable Findings findings() {
        return findings;
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
