// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The number that a member has for its fleet's cap: as configured, or nine tenths of what other clients leave of the server's
 * sessions, read each minute. Without a clock or a server of its own; used by one thread at a time.
 *
 * <p>What the server counts for the application's name and user is taken for the fleet's, but no more of it than the store has
 * booked: otherwise an application that has the same name and is not in the fleet would raise the cap. A look and a
 * booking are of two moments, so that a look counts from the first answer of the store to a renewal that was sent after it, with
 * the larger of the bookings before and after. While the store may not know all members, it counts for nothing. A look that
 * shows less than the number even if all that is the fleet's lowers it at once.
 *
 * <p>The tenth that is kept is for other clients that come within the minute. A number that was read {@link #OLDEST} ago is none
 * any more: then the other members' numbers hold, of which the smallest counts, and without any nothing grows.
 */
public final class FleetCap {
    /** How old a number may be: one look may fail, and its successor be late. Other clients come meanwhile. */
    static final Duration OLDEST = Duration.ofSeconds(150);

    private final @Nullable Integer configured;
    private final int instancesMax;
    private SessionsLeft.@Nullable Reading waiting;
    /** How many connections the store had booked when it last answered; null before that, or if it does not know. */
    private @Nullable Integer booked;

    private int read = FleetRules.UNKNOWN;
    private long readNanos;
    private long seenNanos;
    private boolean seen;
    private long sentNanos;

    /**
     * A number that is configured, or read.
     *
     * @param configured null to read it
     */
    public FleetCap(@Nullable Integer configured, int instancesMax) {
        this.configured = configured;
        this.instancesMax = instancesMax;
    }

    /** Whether it is read from the server. */
    public boolean isRead() {
        return configured == null;
    }

    /** What the last look said; the same one again changes nothing. */
    public void looked(SessionsLeft.Reading reading) {
        long endedNanos = reading.nanos();
        if (isRead() && reading.left() != SessionsLeft.UNKNOWN && !(seen && endedNanos == seenNanos)) {
            seen = true;
            seenNanos = endedNanos;
            waiting = reading;
            int low = read == FleetRules.UNKNOWN ? read : cap(reading, read);
            if (low < read) {
                // Whatever is booked: the store may not answer for long, and other clients have come.
                read = low;
                readNanos = endedNanos;
            }
        }
    }

    /** A renewal is sent. */
    public void sent(long nowNanos) {
        sentNanos = nowNanos;
    }

    /** The store has answered the renewal that was sent last. */
    public void answered(Grant grant) {
        Integer before = booked;
        booked = grant.calm() ? null : (Integer) grant.booked();
        SessionsLeft.Reading look = waiting;
        if (look == null || booked == null || sentNanos - look.nanos() < 0) {
            return;
        }
        waiting = null;
        read = cap(look, Math.max(booked, before == null ? 0 : before));
        readNanos = look.nanos();
    }

    private int cap(SessionsLeft.Reading reading, int ofFleet) {
        // The stores' own connections are the fleet's too, and are booked nowhere.
        int own = Math.min(reading.sessions(), ofFleet + reserve(Math.max(1, reading.usable())));
        return Math.max(1, Math.min(FleetRules.MOST, reading.left(own) * 9 / 10));
    }

    /** The rules as this member has them now. */
    public FleetRules rules(long nowNanos) {
        int cap = configured != null ? configured : nowNanos - readNanos < OLDEST.toNanos() ? read : FleetRules.UNKNOWN;
        return new FleetRules(
                cap, instancesMax, cap == FleetRules.UNKNOWN ? 0 : Math.max(0, Math.min(reserve(cap), cap - 1)));
    }

    /** Never granted. */
    private static int reserve(int cap) {
        return Math.max(1, cap / 20);
    }
}
