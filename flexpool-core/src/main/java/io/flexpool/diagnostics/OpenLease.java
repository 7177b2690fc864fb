// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection: who has it, since when, and what for. Immutable; a picture of one moment, by now perhaps over.
 * Holds no parameters of statements and no password; the thread's name and the statement are the application's own
 * words, to be shown as plain text only. Made by flexpool alone; minor releases add methods.
 */
public interface OpenLease {
    /**
     * The thread that requested the connection, or the {@link io.flexpool.OwnerToken} that it carried. Another thread may
     * use the connection by now.
     *
     * @return its name as it is now; of a virtual thread without a name {@code virtual-} and its number; of a token its
     *     name and number, and the thread that carries it
     */
    String thread();

    /** {@return the number of that thread; below 0 of a token} */
    long threadId();

    /** {@return whether it is a virtual thread} */
    boolean virtualThread();

    /**
     * Where the application requested the connection.
     *
     * @return {@code Class.method(File:line)}; null if it was not captured ({@code call-sites.capture})
     */
    @Nullable
    String callSite();

    /** {@return for how long the connection has been leased} */
    Duration age();

    /** {@return whether a call into the database runs now; unknown unless {@code time-in-database} is on} */
    Activity activity();

    /** {@return how much of the age was spent in the database, a running call included; null if unknown} */
    @Nullable
    Duration inDatabase();

    /**
     * The statement that runs, or ran last.
     *
     * @return shortened and without parameters; null unless {@code statement-text} is on and there was one
     */
    @Nullable
    String statement();

    /** {@return whether the lease lasts for longer than {@code leak.threshold}} */
    boolean leakSuspected();

    /**
     * What the database server did with the connection, as a part of flexpool read it at most two seconds ago. It is read when a
     * request fails, and for a minute after that.
     *
     * @return null if nothing is known
     */
    default @Nullable SessionState inServer() {
        return null;
    }

    /** What happens with a leased connection. */
    enum Activity {
        /** A call into the database runs. */
        IN_DATABASE("in the database"),
        /** The application holds it and does something else. */
        IDLE("idle"),
        /** It is not measured: {@code time-in-database} is off. */
        UNKNOWN("unknown");

        private final String words;

        Activity(String words) {
            this.words = words;
        }

        /** {@return the activity for people, lower case, for example {@code in the database}} */
        public String words() {
            return words;
        }
    }

    /** {@return the share of the age that was not spent in the database, from 0 to 1; NaN if unknown} */
    default double idleShare() {
        Duration inDatabase = inDatabase();
        long age = age().toNanos();
        return inDatabase == null || age <= 0 ? Double.NaN : Math.max(0, 1 - (double) inDatabase.toNanos() / age);
    }

    /**
     * The lease in one line.
     *
     * @return for example {@code worker-7 at OrderService.place(OrderService.java:42): held for 48210 ms, 92 % of it not
     *     in the database, now idle}
     */
    default String describe() {
        StringBuilder line = new StringBuilder(128);
        line.append(thread());
        line.append(callSite() == null ? " (call site not captured)" : " at " + callSite());
        line.append(": held for ").append(age().toMillis()).append(" ms");
        if (!Double.isNaN(idleShare())) {
            line.append(", ").append(Math.round(100 * idleShare())).append(" % of it not in the database");
        }
        if (activity() != Activity.UNKNOWN) {
            line.append(", now ").append(activity().words());
        }
        SessionState session = inServer();
        if (session != null) {
            line.append(", in the server ").append(session.describe());
        }
        if (statement() != null) {
            line.append(", statement: ").append(statement());
        }
        return line.append(leakSuspected() ? ", leak suspected" : "").toString();
    }

    /** A close inspection of the leases of one pool, for example by tests. Thread-safe. */
    interface Inspection extends AutoCloseable {
        /**
         * The open leases now, by number, so that one can be recognised later.
         *
         * @return each under a number that no other lease of this pool has; in no order; a snapshot, immutable; also
         *     for a closed pool, and after this inspection has ended
         */
        Map<Long, OpenLease> openLeases();

        /** Ends the inspection. Closing twice does nothing. */
        @Override
        void close();
    }
}
