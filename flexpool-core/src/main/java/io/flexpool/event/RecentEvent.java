// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.internal.shared.PlainText;
import java.time.Instant;
import java.util.Objects;

/**
 * An event of a pool as it is remembered: failures of one kind and reason that came within a second are one, with their
 * number. Immutable.
 *
 * @param number counts what is remembered of a pool, from 0; grows with time
 * @param kind what it was
 * @param firstEpochMillis when the first of them came, milliseconds since 1970
 * @param lastEpochMillis when the last of them came, milliseconds since 1970
 * @param count how many they were, at least 1
 * @param longestNanos the longest of their waits or leases, nanoseconds; -1 for a kind that has none
 * @param event the first of them that is explained, else the first
 */
public record RecentEvent(
        long number,
        Kind kind,
        long firstEpochMillis,
        long lastEpochMillis,
        long count,
        long longestNanos,
        PoolEvent event) {

    /** What kind of event it was. */
    public enum Kind {
        /** A request got no connection in time. */
        TIMEOUT,
        /** A request was answered late. */
        SLOW_ACQUISITION,
        /** A connection was out for long. */
        LONG_LEASE,
        /** The database refused, or could not be reached. */
        CONNECT_FAILURE,
        /** A strategy turned a request away. */
        REJECTED,
        /** The circuit opened or closed. */
        CIRCUIT,
        /** The limit moved. */
        RESIZED,
        /** The sizing controller decided, or judged what it had decided. */
        SIZING_DECIDED,
        /** A connection is out for longer than the leak threshold. */
        LEAK_SUSPECTED,
        /** It came back. */
        LEAK_RESOLVED,
        /** A thread that holds a connection asked for a second one. */
        NESTED_ACQUISITION;

        /**
         * The kind in the words of reports and endpoints; never changed once released.
         *
         * @return for example {@code slow-acquisition}
         */
        public String word() {
            return PlainText.word(this);
        }

        /**
         * Whether events of this kind that come together are remembered as one. Those that each tell of another change or
         * lease are not.
         *
         * @return true for those of single requests
         */
        public boolean comesInCrowds() {
            return switch (this) {
                case TIMEOUT, SLOW_ACQUISITION, LONG_LEASE, CONNECT_FAILURE, REJECTED, NESTED_ACQUISITION -> true;
                case CIRCUIT, RESIZED, SIZING_DECIDED, LEAK_SUSPECTED, LEAK_RESOLVED -> false;
            };
        }

        /**
         * The kind of an event.
         *
         * @param event any
         * @return its kind
         */
        public static Kind of(PoolEvent event) {
            // JDK 17 has no switch over types.
            if (event instanceof PoolEvent.AcquisitionTimedOut) {
                return TIMEOUT;
            } else if (event instanceof PoolEvent.ConnectFailed) {
                return CONNECT_FAILURE;
            } else if (event instanceof PoolEvent.AcquisitionSlow) {
                return SLOW_ACQUISITION;
            } else if (event instanceof PoolEvent.LeaseLong) {
                return LONG_LEASE;
            } else if (event instanceof PoolEvent.SizingDecided) {
                return SIZING_DECIDED;
            } else if (event instanceof PoolEvent.AcquisitionRejected) {
                return REJECTED;
            } else if (event instanceof PoolEvent.CircuitChanged) {
                return CIRCUIT;
            }
            return ofLease(event);
        }

        private static Kind ofLease(PoolEvent event) {
            if (event instanceof PoolEvent.LeakSuspected) {
                return LEAK_SUSPECTED;
            } else if (event instanceof PoolEvent.LeakResolved) {
                return LEAK_RESOLVED;
            } else if (event instanceof PoolEvent.NestedAcquisition) {
                return NESTED_ACQUISITION;
            }
            return RESIZED;
        }
    }

    /**
     * How long an event's wait or lease was.
     *
     * @param event any
     * @return nanoseconds; -1 if it tells of none
     */
    public static long nanosOf(PoolEvent event) {
        if (event instanceof PoolEvent.AcquisitionTimedOut timeout) {
            return timeout.waitedNanos();
        } else if (event instanceof PoolEvent.ConnectFailed failed) {
            return failed.waitedNanos();
        } else if (event instanceof PoolEvent.AcquisitionSlow slow) {
            return slow.waitedNanos();
        } else if (event instanceof PoolEvent.LeaseLong lease) {
            return lease.heldNanos();
        } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
            return rejected.waitedNanos();
        } else if (event instanceof PoolEvent.LeakSuspected leak) {
            return leak.lease().ageNanos();
        } else if (event instanceof PoolEvent.LeakResolved leak) {
            return leak.heldNanos();
        }
        return -1;
    }

    /**
     * Whether two events of one kind tell the same: connect failures do if their reason is the same.
     *
     * @param one an event
     * @param other an event of the same kind
     * @return true if they may be counted as one
     */
    public static boolean sameReason(PoolEvent one, PoolEvent other) {
        return !(one instanceof PoolEvent.ConnectFailed mine)
                || (other instanceof PoolEvent.ConnectFailed theirs
                        && mine.reason().equals(theirs.reason())
                        && Objects.equals(mine.sqlState(), theirs.sqlState()));
    }

    /**
     * The event in one line.
     *
     * @return for example {@code 2026-11-21T22:17:35.123Z timeout (12 times): …}
     */
    public String describe() {
        return Instant.ofEpochMilli(firstEpochMillis) + " " + kind.word() + (count > 1 ? " (" + count + " times)" : "")
                + ": " + PlainText.line(event.describe());
    }
}
