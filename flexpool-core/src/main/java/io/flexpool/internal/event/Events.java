// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events of a pool and their texts. {@link PoolEvent} documents each figure. */
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
            implements PoolEvent.AcquisitionTimedOut {
        @Override
        public Kind kind() {
            return Kind.TIMEOUT;
        }

        @Override
        public String describe() {
            return report;
        }
    }

    public record AcquisitionRejected(
            String pool,
            Duration duration,
            PoolState state,
            String report,
            @Nullable Duration retryAfter) implements PoolEvent.AcquisitionRejected {
        @Override
        public Kind kind() {
            return Kind.REJECTED;
        }

        @Override
        public String describe() {
            return report;
        }
    }

    public record CircuitChanged(
            String pool,
            Instant time,
            PoolEvent.CircuitPhase phase,
            Duration openFor,
            int connectFailures,
            String reason,
            PoolState state)
            implements PoolEvent.CircuitChanged {
        @Override
        public Kind kind() {
            return Kind.CIRCUIT;
        }

        @Override
        public String describe() {
            return pool
                    + switch (phase) {
                        case OPEN ->
                            ": the circuit is open for " + openFor.toMillis() + " ms after " + connectFailures
                                    + " connect failures in a row, and requests are rejected; last: " + reason;
                        case HALF_OPEN -> ": the circuit is half open: one probe request tests the database";
                        case CLOSED -> ": the circuit is closed again";
                    };
        }
    }

    public record AcquisitionSlow(String pool, Duration duration, PoolState state)
            implements PoolEvent.AcquisitionSlow {
        @Override
        public Kind kind() {
            return Kind.SLOW_ACQUISITION;
        }

        @Override
        public String describe() {
            return pool + ": an acquisition took " + duration.toMillis() + " ms: " + state.describe();
        }
    }

    public record LeaseLong(String pool, Duration duration) implements PoolEvent.LeaseLong {
        @Override
        public Kind kind() {
            return Kind.LONG_LEASE;
        }

        @Override
        public String describe() {
            return pool + ": a lease lasted " + duration.toMillis() + " ms";
        }
    }

    public record ConnectFailed(
            String pool,
            Duration duration,
            @Nullable String sqlState,
            String reason,
            PoolState state,
            @Nullable Explanation explanation,
            String report)
            implements PoolEvent.ConnectFailed {
        @Override
        public Kind kind() {
            return Kind.CONNECT_FAILURE;
        }

        @Override
        public String describe() {
            return report;
        }
    }

    /** A limit moved. {@code part} is the part with the cap that moved it; null without one. */
    public record Resized(
            String pool,
            int from,
            int to,
            PoolEvent.ResizeCause cause,
            @Nullable String part,
            PoolState state) implements PoolEvent.Resized {
        @Override
        public Kind kind() {
            return Kind.RESIZED;
        }

        @Override
        public String describe() {
            String why = switch (cause) {
                case DEMAND ->
                    Words.count(state.pending(), "request") + (state.pending() == 1 ? " waits" : " wait")
                            + ", all connections are in use";
                case CALM -> "shrinking: no request is waiting";
                case CONNECT_FAILURE -> "the database refuses connections";
                case MANUAL -> "set manually";
                case SIZING -> "moved by the sizing controller (see its decision)";
                case CAP -> "the " + causeWord() + " granted a different number of connections";
            };
            return pool + ": lease limit " + from + " -> " + to + ": " + why;
        }

        @Override
        public String causeWord() {
            return part == null ? Words.word(cause) : part;
        }
    }

    public record GrowthRefused(String pool, RefusedGrowth refused, PoolState state)
            implements PoolEvent.GrowthRefused {
        @Override
        public Kind kind() {
            return Kind.GROWTH_REFUSED;
        }

        @Override
        public String describe() {
            boolean ceiling = refused.reason() == RefusedGrowth.Reason.CEILING && state.bound();
            String key = refused.key();
            int waits = state.pending();
            return pool + ": not growing while " + Words.count(waits, "request")
                    + (waits == 1 ? " waits: " : " wait: ")
                    + (ceiling ? "the ceiling of " + state.ceiling() + " is reached" : refused.words())
                    + (key == null ? "" : " (" + key + ")");
        }
    }

    public record LeakSuspected(String pool, OpenLease lease, PoolState state) implements PoolEvent.LeakSuspected {
        @Override
        public Kind kind() {
            return Kind.LEAK_SUSPECTED;
        }

        @Override
        public Duration duration() {
            return lease.age();
        }

        @Override
        public String describe() {
            return pool + ": a connection may have leaked: " + lease.describe() + "; " + state.describe()
                    + ". Check that its code closes it.";
        }
    }

    public record LeakResolved(
            String pool, Duration duration, @Nullable String callSite, boolean reclaimed)
            implements PoolEvent.LeakResolved {
        @Override
        public Kind kind() {
            return Kind.LEAK_RESOLVED;
        }

        @Override
        public String describe() {
            return pool + ": the suspected leak" + (callSite == null ? "" : " of " + callSite)
                    + (reclaimed
                            ? " ended: the connection was reclaimed after "
                            : " ended: the connection was returned after ")
                    + duration.toMillis()
                    + " ms";
        }
    }

    public record NestedAcquisition(
            String pool,
            String thread,
            @Nullable String callSite,
            @Nullable String callSiteOfHeld,
            PoolState state) implements PoolEvent.NestedAcquisition {
        @Override
        public Kind kind() {
            return Kind.NESTED_ACQUISITION;
        }

        @Override
        public String describe() {
            return pool + ": " + thread + " requests a second connection" + (callSite == null ? "" : " at " + callSite)
                    + " while it holds one" + (callSiteOfHeld == null ? "" : " from " + callSiteOfHeld)
                    + ", and few connections are left. Several such threads can deadlock: " + state.describe();
        }
    }

    public record LifecycleChanged(String pool, PoolEvent.LifecycleAction action, String reason, PoolState state)
            implements PoolEvent.LifecycleChanged {
        @Override
        public Kind kind() {
            return Kind.LIFECYCLE;
        }

        @Override
        public String describe() {
            return pool + ": "
                    + switch (action) {
                        case WARMED_UP -> "warmed up, ";
                        case PAUSED -> "paused, ";
                        case RESUMED -> "resumed, ";
                        case EVICTED -> "all connections are evicted: ";
                        case DRAINING -> "drains, ";
                        case DRAINED -> "drained, ";
                    }
                    + reason;
        }
    }

    public record SizingDecided(String pool, Decision decision, PoolState state) implements PoolEvent.SizingDecided {
        @Override
        public Kind kind() {
            return Kind.SIZING_DECIDED;
        }

        @Override
        public String describe() {
            return pool + ": " + decision.explanation();
        }
    }

    public record PartReported(String pool, String name, String text, Map<String, String> facts)
            implements PoolEvent.PartReported {
        public PartReported {
            facts = Collections.unmodifiableMap(facts);
        }

        @Override
        public Kind kind() {
            return Kind.PART;
        }

        @Override
        public String describe() {
            return pool + ": " + text;
        }
    }
}
