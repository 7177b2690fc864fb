// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * Detects pauses in which nothing ran: a suspended virtual machine, a stopped process. A thread could not close its
 * connection then, so a pause does not count towards the age at which a lease is suspected or reclaimed. Written by the
 * tick's thread, read by any.
 */
final class PauseWatch {
    /** A tick delayed by more than this follows a pause. */
    static final long LATE_NANOS = 2_000_000_000L;

    private final long longestAgeNanos;
    private volatile List<Pause> pauses = List.of();

    private record Pause(long fromNanos, long toNanos) {
        /** How much of the time since a moment was this pause; the moment must be before its end. */
        long since(long nanos) {
            return Math.max(0, toNanos - nanos - Math.max(0, fromNanos - nanos));
        }
    }

    /** The longest age that is compared; {@code Long.MAX_VALUE} if none is. */
    PauseWatch(long longestAgeNanos) {
        this.longestAgeNanos = longestAgeNanos;
    }

    /** Reports a tick and its delay. */
    void tick(long nowNanos, long lateNanos) {
        if (lateNanos <= LATE_NANOS || longestAgeNanos == Long.MAX_VALUE) {
            return;
        }
        // A lease from before a pause that ended so long ago is over every threshold without it.
        List<Pause> kept = new ArrayList<>(pauses);
        kept.removeIf(pause -> nowNanos - pause.toNanos() > longestAgeNanos);
        kept.add(new Pause(nowNanos - lateNanos, nowNanos));
        pauses = List.copyOf(kept);
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
