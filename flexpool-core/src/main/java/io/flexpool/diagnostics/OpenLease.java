// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import org.jspecify.annotations.Nullable;

/**
 * A connection that is out: who has it, since when, and what for. Immutable; a picture of one moment, by now perhaps
 * over. Holds no parameters of statements and no password; the thread's name and the statement are the application's own
 * words, to be shown as text and nothing else.
 *
 * @param thread the name of the thread that asked for the connection, as it is now; a virtual thread without a name is
 *     {@code virtual-} and its number. Others may use the connection by now
 * @param threadId that thread's number
 * @param virtualThread whether it is a virtual thread
 * @param callSite where the application asked, {@code Class.method(File:line)}; null if it was not captured
 *     ({@code call-sites.capture})
 * @param ageNanos for how long the connection has been out, nanoseconds
 * @param activity whether a call into the database runs now; {@link Activity#UNKNOWN} unless {@code time-in-database} is on
 * @param inDatabaseNanos how much of the age was spent in the database, nanoseconds, a running call included; -1 if
 *     unknown
 * @param statement the statement that runs, or ran last, shortened and without parameters; null unless
 *     {@code statement-text} is on and there was one
 * @param leakSuspected whether the lease is out for longer than {@code leak.threshold}
 */
public record OpenLease(
        String thread,
        long threadId,
        boolean virtualThread,
        @Nullable String callSite,
        long ageNanos,
        Activity activity,
        long inDatabaseNanos,
        @Nullable String statement,
        boolean leakSuspected) {

    /** What {@link #inDatabaseNanos()} is where nobody measures it. */
    public static final long UNKNOWN = -1;

    /** What happens with a connection that is out. */
    public enum Activity {
        /** A call into the database runs. */
        IN_DATABASE("in the database"),
        /** The application holds it and does something else. */
        IDLE("idle"),
        /** Nobody measures it: {@code time-in-database} is off. */
        UNKNOWN("unknown");

        private final String words;

        Activity(String words) {
            this.words = words;
        }

        /**
         * For people.
         *
         * @return lower case, for example {@code in the database}
         */
        public String words() {
            return words;
        }
    }

    /**
     * The share of the age that was not spent in the database.
     *
     * @return from 0 to 1; -1 if unknown
     */
    public double idleShare() {
        if (inDatabaseNanos < 0 || ageNanos <= 0) {
            return UNKNOWN;
        }
        return Math.max(0, 1 - (double) inDatabaseNanos / ageNanos);
    }

    /**
     * The lease in one line.
     *
     * @return for example {@code worker-7 at OrderService.place(OrderService.java:42): out for 48210 ms, 92 % of it not in
     *     the database, now idle}
     */
    public String describe() {
        StringBuilder line = new StringBuilder(128);
        line.append(thread);
        line.append(callSite == null ? " (call site not captured)" : " at " + callSite);
        line.append(": out for ").append(ageNanos / 1_000_000).append(" ms");
        if (idleShare() >= 0) {
            line.append(", ").append(Math.round(100 * idleShare())).append(" % of it not in the database");
        }
        if (activity != Activity.UNKNOWN) {
            line.append(", now ").append(activity.words());
        }
        if (statement != null) {
            line.append(", statement: ").append(statement);
        }
        return line.append(leakSuspected ? ", leak suspected" : "").toString();
    }
}
