// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part's information on the sessions of leases; empty without such a part. Thread-safe. */
public final class Insight implements SessionInsight {
    private final ListenerGuard listeners;
    /** Null without a part with an insight. */
    private volatile @Nullable SessionInsight part;

    private volatile String who = "a part";
    private volatile @Nullable Findings findings;

    /** The parts' information on a failure. Never throws. */
    public interface Findings {
        /** The possible reasons of a failed request, by all parts, as clauses. */
        List<String> findings();

        /** Advice on the findings if they explain a cause; otherwise null. */
        @Nullable
        String advice(Cause cause);
    }

    Insight(ListenerGuard listeners) {
        this.listeners = listeners;
    }

    /** Sets the part with an insight; the first part stays. */
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

    /** The findings of all parts; null without parts. */
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
