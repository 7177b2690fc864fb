// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The pauses in which no tick ran, for example in a suspended virtual machine or a stopped process. No thread could
 * close its connection then, so no budget counts a pause. A pool whose figures hang delays the ticks too, so its leases
 * get this time in addition. Written by the tick's thread, read by any thread.
 */
final class Pauses {
    private static final long TICK_NANOS = 250_000_000;
    /** A longer time between two ticks counts as a pause. */
    private static final long LATE_NANOS = 2_000_000_000L;

    private final long longestNanos;
    private volatile List<Pause> pauses = List.of();
    private boolean ticked;
    private long lastNanos;

    private record Pause(long fromNanos, long toNanos) {
        /** The part of this pause that lies after a moment. */
        long since(long nanos) {
            return Math.max(0, toNanos - nanos - Math.max(0, fromNanos - nanos));
        }
    }

    /** Creates the list for ages of at most {@code longestNanos}. */
    Pauses(long longestNanos) {
        this.longestNanos = longestNanos;
    }

    void tick(long nowNanos) {
        if (ticked && nowNanos - lastNanos > LATE_NANOS) {
            // Drops a pause that ended more than the longest budget ago: a lease from before exceeds every budget
            // anyway.
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
