// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import java.util.ArrayList;
import java.util.List;

/**
 * The spans in which nothing ran: a suspended virtual machine, a stopped process. Whoever held a connection then could not
 * have given it back, so such a span does not count towards the age at which a lease is suspected or taken back. Written
 * by the loop's thread, read by any.
 */
final class PauseWatch {
    /** A tick that comes later than this comes after a pause. */
    static final long LATE_NANOS = 2_000_000_000L;

    private final long longestAgeNanos;
    private volatile List<Pause> pauses = List.of();

    private record Pause(long fromNanos, long toNanos) {
        /** How much of the time since a moment before its end was this pause. */
        long since(long nanos) {
            return Math.max(0, toNanos - nanos - Math.max(0, fromNanos - nanos));
        }
    }

    /** For ages that are compared with nothing longer than this; {@code Long.MAX_VALUE} if with nothing. */
    PauseWatch(long longestAgeNanos) {
        this.longestAgeNanos = longestAgeNanos;
    }

    /** A tick came, and so much later than it was due. */
    void tick(long nowNanos, long lateNanos) {
        if (lateNanos <= LATE_NANOS || longestAgeNanos == Long.MAX_VALUE) {
            return;
        }
        // A lease from before a pause that is over for so long is too old without it.
        List<Pause> kept = new ArrayList<>(pauses);
        kept.removeIf(pause -> nowNanos - pause.toNanos() > longestAgeNanos);
        kept.add(new Pause(nowNanos - lateNanos, nowNanos));
        pauses = List.copyOf(kept);
    }

    /** How long ago a moment was, without the pauses since. */
    long ageNanos(long sinceNanos, long nowNanos) {
        long age = nowNanos - sinceNanos;
        for (Pause pause : pauses) {
            age -= pause.since(sinceNanos);
        }
        return age;
    }
}
