// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.List;

/**
 * How flexpool's own watch over a pool goes: whether the ticks come from which samples, leak alarms and decisions on the
 * size follow. Immutable.
 *
 * @param tickAgeNanos how long ago the last tick ended, nanoseconds; less than 250 ms as a rule, 0 where nothing ticks
 * @param droppedEvents events that were not delivered, since the start, because a listener blocked for too long
 * @param troubles what hangs, a sentence each, without a password; empty if nothing does
 */
public record WatchState(long tickAgeNanos, long droppedEvents, List<String> troubles) {
    /** From this age of the last tick on the watch counts as stalled, nanoseconds. */
    public static final long STALLED_NANOS = 2_000_000_000L;

    /** Of a pool that nothing watches: disabled, or closed. */
    public static final WatchState NONE = new WatchState(0, 0, List.of());

    /** Copies the list. */
    public WatchState {
        troubles = List.copyOf(troubles);
    }

    /**
     * Whether no tick has ended for so long that the pool's samples, alarms and decisions stand still.
     *
     * @return true from {@link #STALLED_NANOS} on
     */
    public boolean stalled() {
        return tickAgeNanos >= STALLED_NANOS;
    }

    /**
     * The state in one line, as the report shows it.
     *
     * @return for example {@code last tick 120 ms ago, 0 events dropped}, followed by the troubles
     */
    public String describe() {
        StringBuilder line = new StringBuilder("last tick ")
                .append(tickAgeNanos / 1_000_000)
                .append(" ms ago, ")
                .append(droppedEvents)
                .append(" events dropped");
        troubles.forEach(trouble -> line.append("; ").append(trouble));
        return line.toString();
    }
}
