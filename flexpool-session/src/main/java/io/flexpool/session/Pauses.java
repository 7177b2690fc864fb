// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The pauses in which no tick ran: a suspended virtual machine, a stopped process. No thread could close its connection
 * then, so a pause counts towards no budget. A pool with hanging figures delays the ticks too: its leases get this time
 * in addition. Written by the tick's thread, read by any thread.
 */
final class Pauses {
    private static final long TICK_NANOS = 250_000_000;
    /** A longer time between two ticks is a pause. */
    private static final long LATE_NANOS = 2_000_000_000L;

    private final long longestNanos;
    private volatile List<Pause> pauses = List.of();
    private boolean ticked;
    private long lastNanos;

    private record Pause(long fromNanos, long toNanos) {
        /** The part of the time since a moment in this pause. */
        long since(long nanos) {
            return Math.max(0, toNanos - nanos - Math.max(0, fromNanos - nanos));
        }
    }

    /** Takes the longest compared age. */
    Pauses(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    void tick(long nowNanos) {
        if (ticked && nowNanos - lastNanos > LATE_NANOS) {
            // A lease from before a pause that ended this long ago exceeds every budget even without it.
            List<Pause> kept = new ArrayList<>(pauses);
            kept.removeIf(pause -> nowNanos - pause.toNanos() > longestNanos);
            kept.add(new Pause(lastNanos + TICK_NANOS, nowNanos));
            pauses = List.copyOf(kept);
        }
        ticked = true;
        lastNanos = nowNanos;
    }

    /** The time since a moment, without pauses. */
    long ageNanos(long sinceNanos, long nowNanos) {
        long age = nowNanos - sinceNanos;
        for (Pause pause : pauses) {
            age -= pause.since(sinceNanos);
        }
        return age;
    }
}
