// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A member's value of its fleet's cap: configured, or nine tenths of the server's sessions that other clients leave,
 * read each minute. Has no clock and no server; used by one thread at a time.
 *
 * <p>Sessions with the application's name and user count as the fleet's, up to the number that the store has booked:
 * otherwise an application with the same name outside the fleet would raise the cap. A reading and a booking are from
 * two moments, so a reading counts from the store's first answer to a renewal that was sent after it, with the larger
 * of the bookings before and after. While the store may not know all members, a reading has no effect. A reading that
 * shows less than the cap, even if all these sessions are the fleet's, lowers the cap at once.
 *
 * <p>The remaining tenth is for other clients that connect within the minute. A reading older than {@link #OLDEST} does
 * not count: then the smallest cap of the other members counts, and without one no grant grows.
 */
public final class FleetCap {
    /** The maximum age of a reading: one reading may fail, and the next be late. Other clients connect meanwhile. */
    static final Duration OLDEST = Duration.ofSeconds(150);

    private final @Nullable Integer configured;
    private final int instancesMax;
    private SessionsLeft.@Nullable Reading waiting;
    /** The reserved connections in the store's last answer; null before the first answer, or if unknown. */
    private @Nullable Integer booked;

    private int read = FleetRules.UNKNOWN;
    private long readNanos;
    private long seenNanos;
    private boolean seen;
    private long sentNanos;

    /**
     * A configured cap, or a cap that is read from the server.
     *
     * @param configured null to read it
     */
    public FleetCap(@Nullable Integer configured, int instancesMax) {
        this.configured = configured;
        this.instancesMax = instancesMax;
    }

    /** Whether the cap is read from the server. */
    public boolean isRead() {
        return configured == null;
    }

    /** Takes the last reading of the server; the same reading again has no effect. */
    public void looked(SessionsLeft.Reading reading) {
        long endedNanos = reading.nanos();
        if (isRead() && reading.left() != SessionsLeft.UNKNOWN && !(seen && endedNanos == seenNanos)) {
            seen = true;
            seenNanos = endedNanos;
            waiting = reading;
            int low = read == FleetRules.UNKNOWN ? read : cap(reading, read);
            if (low < read) {
                // Ignores reservations: the store may be unreachable for long while other clients connect.
                read = low;
                readNanos = endedNanos;
            }
        }
    }

    /** Notes that a renewal is sent. */
    public void sent(long nowNanos) {
        sentNanos = nowNanos;
    }

    /** Takes the answer to the last renewal. */
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
        // The stores' connections belong to the fleet too, but are not reserved.
        int own = Math.min(reading.sessions(), ofFleet + reserve(Math.max(1, reading.usable())));
        return Math.max(1, Math.min(FleetRules.MOST, reading.left(own) * 9 / 10));
    }

    /** This member's current rules. */
    public FleetRules rules(long nowNanos) {
        int cap = configured != null ? configured : nowNanos - readNanos < OLDEST.toNanos() ? read : FleetRules.UNKNOWN;
        return new FleetRules(
                cap, instancesMax, cap == FleetRules.UNKNOWN ? 0 : Math.max(0, Math.min(reserve(cap), cap - 1)));
    }

    /** The part of the cap that is never granted. */
    private static int reserve(int cap) {
        return Math.max(1, cap / 20);
    }
}
