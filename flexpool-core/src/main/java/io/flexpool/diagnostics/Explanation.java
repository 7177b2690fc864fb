// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.diagnostics.OpenLease.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a failed request: the cause, the evidence, the holders of the connections, and flexpool's action
 * or proposal. Made when a request fails, at most once a second for each pool. The first connect failure of a second is
 * explained even if a timeout of that second was explained before. Immutable.
 *
 * <p>The cause follows from figures, by fixed rules: the same figures give the same cause. An unknown fact is reported
 * as unknown. Thread names and statements come from the application; flexpool has removed control characters and
 * possible passwords. Show them as plain text only.
 *
 * <p>Made by flexpool alone; minor releases add methods.
 */
public interface Explanation {
    /** The maximum number of named holders. */
    int MOST_HOLDERS = 5;

    /** {@return the number of the explanation in its pool, from 1; other failures of the same second name it} */
    long number();

    /** {@return the time of the explanation} */
    Instant time();

    /** {@return the short line: how long the request waited, and the pool's state} */
    String summary();

    /** {@return the cause of the failure} */
    Cause cause();

    /** {@return short sentences with figures, the most important first; at least one} */
    List<String> evidence();

    /** {@return the oldest leases with their holders, at most {@link #MOST_HOLDERS}, oldest first} */
    List<Holder> holders();

    /** {@return the number of all leased connections} */
    int openLeases();

    /** {@return flexpool's action or proposal, then advice, in sentences} */
    String action();

    /** The cause of a failure. */
    enum Cause {
        /** Lease times are normal, but the requests need more connections than the pool has. */
        DEMAND("more demand than connections"),
        /** Connections are held longer than usual, inside calls into the database. */
        SLOW_DATABASE("the database is slow"),
        /** The application holds connections without using them. */
        HELD_IDLE("connections held without a running statement"),
        /** Connections are held longer than usual; unknown whether the database or the application takes the time. */
        HELD("connections held for long, unknown whether the database is slow"),
        /**
         * The threads of old leases have ended or do other work, or have run no statement for the leak threshold. A
         * lease with a running statement is no leak, whatever its age.
         */
        LEAK("connections have leaked"),
        /** The database cannot be reached, refuses connections, or has none left. */
        CONNECT_FAILURE("connecting to the database fails"),
        /** Threads that hold a connection wait for a second one. */
        NESTED("holders wait for a second connection"),
        /** Holders wait for a lock of the JVM whose owner waits for a connection of this pool. */
        LOCK_INVERSION("holders wait for a lock, and the owner of the lock waits for a connection"),
        /** The pool is not full, and the next connection has not opened in time. */
        OPENING("the pool is still opening connections"),
        /** Holders wait in the server for a lock of another connection of this pool, or pass a lock to each other. */
        BLOCKED_BY_HOLDER("holders wait for a lock held by another holder"),
        /** Holders wait in the server for a lock of a session outside this pool. */
        BLOCKED_BY_OTHER("holders wait for a lock of another session"),
        /** Most holders wait in the server for locks; the session that holds the lock is unknown. */
        BLOCKED("holders wait for locks in the database"),
        /** Holders wait in the server behind a change of the schema. */
        BLOCKED_BY_DDL("holders wait behind a change of the schema"),
        /** The server refuses connections: all its sessions, or all of this user or database, are in use. */
        SERVER_FULL("the server allows no more sessions"),
        /** Most holders' statements run on the server's processors or disks. */
        SERVER_BUSY("the server is busy with the holders' statements");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** {@return the cause in words, in lower case, for example {@code the database is slow}} */
        public String words() {
            return words;
        }
    }

    /** The holder of a connection. */
    interface Holder {
        /** {@return the lease} */
        OpenLease lease();

        /** {@return the thread's activity, by {@code time-in-database}, or by its stack when the request failed} */
        OpenLease.Activity activity();

        /** {@return the top of the thread's stack, in words; null if not read} */
        @Nullable
        String seen();

        /**
         * The other work of its thread, by its stack when the request failed.
         *
         * @return null if the thread uses the connection, if its stack was not read, or if the work is unknown
         */
        @Nullable
        OtherWork otherWork();

        /**
         * {@return whether its thread handles a web request whose connection stays open with the view, and is not in a
         * transaction}
         */
        boolean openInView();

        /**
         * The holder in one clause.
         *
         * @return for example {@code OrderService.place(OrderService.java:42) in worker-7, 520 ms, without a statement: held
         *     during an HTTP call, 480 of 520 ms not in the database (at PaymentClient.charge(PaymentClient.java:81))}
         */
        default String describe() {
            StringBuilder line = new StringBuilder(96);
            line.append(lease().callSite() == null ? "call site not captured" : lease().callSite());
            line.append(" in ").append(shortened(lease().thread()));
            line.append(", ").append(lease().age().toMillis()).append(" ms");
            if (activity() != OpenLease.Activity.UNKNOWN) {
                line.append(", ").append(activity().words());
            }
            Duration inDatabase = lease().inDatabase();
            if (otherWork() != null) {
                line.append(": held ").append(otherWork().words());
                if (inDatabase != null) {
                    long age = lease().age().toMillis();
                    line.append(", ").append(Math.max(0, age - inDatabase.toMillis()));
                    line.append(" of ").append(age).append(" ms not in the database");
                }
            }
            if (openInView()) {
                line.append(", by open-in-view");
            }
            if (seen() != null) {
                line.append(" (").append(seen()).append(')');
            }
            SessionState session = lease().inServer();
            if (session != null) {
                line.append(", session ").append(session.describe());
            }
            if (lease().statement() != null) {
                line.append(", statement: ").append(shortened(lease().statement()));
            }
            return line.append(lease().leakSuspected() ? ", leak suspected" : "")
                    .toString();
        }

        private static String shortened(String text) {
            int longest = 120;
            return text.length() <= longest ? text : text.substring(0, longest) + "…";
        }
    }

    /**
     * The explanation as text: a headline, then lines with the labels {@code cause}, {@code holders}, {@code server},
     * {@code actions} and {@code advice}.
     *
     * @return at most 12 lines, without a line break at the end; foreign text never begins a line. Logs and exceptions
     *     contain it on one line if {@code explanation.format} is {@code line}.
     */
    String text();
}
