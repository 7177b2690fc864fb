// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What happened to a pool, as its parts report it. What each figure means stands in {@link PoolEvent}. */
public final class Events {
    private Events() {}

    public record AcquisitionTimedOut(
            String pool,
            Duration duration,
            int attempts,
            PoolState state,
            String report,
            @Nullable String traceId,
            @Nullable Explanation explanation)
            implements PoolEvent.AcquisitionTimedOut {}

    public record AcquisitionRejected(
            String pool,
            Duration duration,
            PoolState state,
            String report,
            @Nullable Duration retryAfter) implements PoolEvent.AcquisitionRejected {}

    public record CircuitChanged(
            String pool,
            Instant time,
            PoolEvent.CircuitPhase phase,
            Duration openFor,
            int connectFailures,
            String reason,
            PoolState state)
            implements PoolEvent.CircuitChanged {}

    public record AcquisitionSlow(String pool, Duration duration, PoolState state)
            implements PoolEvent.AcquisitionSlow {}

    public record LeaseLong(String pool, Duration duration) implements PoolEvent.LeaseLong {}

    public record ConnectFailed(
            String pool,
            Duration duration,
            @Nullable String sqlState,
            String reason,
            PoolState state,
            @Nullable Explanation explanation,
            @Nullable String report)
            implements PoolEvent.ConnectFailed {
        /** Of a connect that is known to have failed. */
        public ConnectFailed(
                String pool,
                Duration duration,
                @Nullable String sqlState,
                String reason,
                PoolState state,
                @Nullable Explanation explanation) {
            this(pool, duration, sqlState, reason, state, explanation, null);
        }

        /** The report of the failure, as the caller's exception has it. */
        @Override
        public String describe() {
            return report == null ? PoolEvent.ConnectFailed.super.describe() : report;
        }
    }

    /**
     * A limit moved.
     *
     * @param part the name of the part whose cap moved it; null if none did
     */
    public record Resized(
            String pool,
            int from,
            int to,
            PoolEvent.ResizeCause cause,
            @Nullable String part,
            PoolState state) implements PoolEvent.Resized {

        public Resized(String pool, int from, int to, PoolEvent.ResizeCause cause, PoolState state) {
            this(pool, from, to, cause, null, state);
        }

        @Override
        public String causeWord() {
            return part == null ? PoolEvent.Resized.super.causeWord() : part;
        }
    }

    public record GrowthRefused(String pool, RefusedGrowth refused, PoolState state)
            implements PoolEvent.GrowthRefused {}

    public record LeakSuspected(String pool, OpenLease lease, PoolState state) implements PoolEvent.LeakSuspected {}

    public record LeakResolved(
            String pool, Duration duration, @Nullable String callSite, boolean reclaimed)
            implements PoolEvent.LeakResolved {}

    public record NestedAcquisition(
            String pool,
            String thread,
            @Nullable String callSite,
            @Nullable String callSiteOfHeld,
            PoolState state) implements PoolEvent.NestedAcquisition {}

    public record LifecycleChanged(String pool, PoolEvent.LifecycleAction action, String reason, PoolState state)
            implements PoolEvent.LifecycleChanged {}

    public record SizingDecided(String pool, Decision decision, PoolState state) implements PoolEvent.SizingDecided {}
}
