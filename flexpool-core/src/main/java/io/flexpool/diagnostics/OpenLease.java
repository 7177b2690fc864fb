// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection: its holder, its age, and its use. Immutable; a snapshot: the lease may have ended since. Has no
 * parameters of statements and no password; the thread's name and the statement come from the application: show them as
 * plain text only. Made by flexpool alone; minor releases add methods.
 */
public interface OpenLease {
    /**
     * The thread that requested the connection, or the {@link io.flexpool.OwnerToken} that it carried. Another thread
     * may use the connection meanwhile.
     *
     * @return the current name; for a virtual thread without a name {@code virtual-} and its number; for a token its
     *     name, its number, and the thread that carries it
     */
    String thread();

    /** {@return the number of this thread; below 0 for a token} */
    long threadId();

    /** {@return whether the thread is virtual} */
    boolean virtualThread();

    /**
     * Where the application requested the connection.
     *
     * @return {@code Class.method(File:line)}; null if not captured ({@code call-sites.sample-every})
     */
    @Nullable
    String callSite();

    /** {@return how long the connection has been leased} */
    Duration age();

    /** {@return whether a call into the database runs now; unknown without {@code time-in-database}} */
    Activity activity();

    /** {@return the part of the age in the database, including a running call; null if unknown} */
    @Nullable
    Duration inDatabase();

    /**
     * The running or last statement.
     *
     * @return the statement, shortened and without parameters; null if none, or if {@code statement-text} is off
     */
    @Nullable
    String statement();

    /** {@return whether the lease is longer than {@code leak.threshold}} */
    boolean leakSuspected();

    /**
     * The server's state of the connection's session, read by a part of flexpool at most two seconds ago. It is read
     * when a request fails, and for a minute afterwards.
     *
     * @return the state; null if unknown
     */
    default @Nullable SessionState inServer() {
        return null;
    }

    /** The activity of a leased connection. */
    enum Activity {
        /** A call into the database runs. */
        IN_DATABASE("in the database"),
        /** The application holds the connection, and no call into the database runs. */
        IDLE("without a statement"),
        /** Not measured: {@code time-in-database} is off. */
        UNKNOWN("unknown");

        private final String words;

        Activity(String words) {
            this.words = words;
        }

        /** {@return the activity in words, in lower case, for example {@code in the database}} */
        public String words() {
            return words;
        }
    }

    /** {@return the share of the age outside the database, from 0 to 1; NaN if unknown} */
    default double idleShare() {
        Duration inDatabase = inDatabase();
        long age = age().toNanos();
        return inDatabase == null || age <= 0 ? Double.NaN : Math.max(0, 1 - (double) inDatabase.toNanos() / age);
    }

    /**
     * The lease in one line.
     *
     * @return for example {@code worker-7 at OrderService.place(OrderService.java:42): held for 48210 ms, 92 % outside
     *     the database, now without a statement}
     */
    default String describe() {
        StringBuilder line = new StringBuilder(128);
        line.append(thread());
        line.append(callSite() == null ? " (call site not captured)" : " at " + callSite());
        line.append(": held for ").append(age().toMillis()).append(" ms");
        if (!Double.isNaN(idleShare())) {
            line.append(", ").append(Math.round(100 * idleShare())).append(" % outside the database");
        }
        if (activity() != Activity.UNKNOWN) {
            line.append(", now ").append(activity().words());
        }
        SessionState session = inServer();
        if (session != null) {
            line.append(", session ").append(session.describe());
        }
        if (statement() != null) {
            line.append(", statement: ").append(statement());
        }
        return line.append(leakSuspected() ? ", leak suspected" : "").toString();
    }

    /** A close inspection of the leases of one pool, for example by tests. Thread-safe. Made by flexpool alone. */
    interface Inspection extends AutoCloseable {
        /**
         * The open leases now, by number, so that a lease can be recognised later.
         *
         * @return the leases by a number that is unique in this pool; in no order; a snapshot, immutable; also for a
         *     closed pool, and after this inspection has ended
         */
        Map<Long, OpenLease> openLeases();

        /** Ends the inspection. Closing twice has no effect. */
        @Override
        void close();
    }

    /**
     * Work of a thread that holds a connection without using it, as far as its stack shows it. The connection serves no
     * request meanwhile, so this work should move before the acquisition or behind the close.
     *
     * <p>Read from the frames above the first one of the application: the clients of HTTP, object stores, message
     * brokers, mail and other servers by the names of their packages, the rest by the JDK's classes and the thread's
     * state. A client unknown to flexpool is shown by its work in the JDK, mostly as {@link #NETWORK}. A stack is one
     * moment: work that is rarely found there takes a small share of the time.
     */
    enum OtherWork {
        /** A client of HTTP: the JDK's, Apache's, OkHttp, Jetty's, Reactor Netty, those of Spring, JAX-RS, Feign and others. */
        HTTP_CALL("during an HTTP call", true),
        /** A client of an object store: Amazon S3, Google Cloud Storage, Azure Blob Storage, MinIO and others. */
        OBJECT_STORE("during a call to an object store", true),
        /** A client of a message broker: Kafka, RabbitMQ, JMS, Pulsar, NATS, the queues of cloud providers and others. */
        MESSAGE_BROKER("during a call to a message broker", true),
        /** A client of a mail server. */
        MAIL("during a call to a mail server", true),
        /** A client of another remote service: gRPC, Dubbo, Thrift, RMI, LDAP, services of cloud providers. */
        REMOTE_CALL("during a remote call", true),
        /** A client of another data store, also by JDBC directly: Redis, MongoDB, Elasticsearch, drivers and others. */
        DATA_STORE("during a call to another data store", true),
        /** {@code Thread.sleep}. */
        SLEEP("while sleeping", false),
        /** A monitor, a {@code Lock} or a {@code Semaphore} that another thread holds. */
        LOCK("while waiting for a lock", false),
        /** A future, a latch, a queue, a condition, the end of a thread or of a process. */
        OTHER_THREAD("while waiting for another thread", false),
        /** Sockets, without a known client. */
        NETWORK("during network input or output", true),
        /** Files. */
        FILE("during file input or output", true),
        /** The thread runs, or is ready to run, and does none of the above. */
        CPU("while computing", false);

        private final String words;
        private final boolean io;

        OtherWork(String words, boolean io) {
            this.words = words;
            this.io = io;
        }

        /** {@return the work in words, to follow "held": for example {@code during an HTTP call}} */
        public String words() {
            return words;
        }

        /** {@return whether the thread waits for a server, a network or a file} */
        public boolean io() {
            return io;
        }

        /**
         * What a thread does.
         *
         * @param state the thread's state, read with the stack
         * @param stack its stack, the most recent call first, as {@link Thread#getStackTrace()} returns it
         * @return the work; null if the stack is empty, the thread is inside a call of one of flexpool's connections,
         *     or the work is unknown
         */
        public static @Nullable OtherWork of(Thread.State state, StackTraceElement[] stack) {
            Objects.requireNonNull(stack, "stack is null");
            Objects.requireNonNull(state, "state is null");
            return WorkFrames.work(state, stack);
        }

        /**
         * The application's frame that is nearest to the top of a stack: the call that does the work. It is the first
         * frame outside the JDK and the frameworks, drivers and clients that flexpool knows.
         *
         * @param stack a stack, the most recent call first
         * @return the frame; null without one
         */
        public static @Nullable StackTraceElement caller(StackTraceElement[] stack) {
            Objects.requireNonNull(stack, "stack is null");
            return WorkFrames.caller(stack);
        }
    }

    /**
     * The server's state of a leased connection's session, as a part of flexpool read it. Immutable; a snapshot. Made
     * by flexpool alone, by one of its parts; minor releases add methods.
     */
    interface SessionState {
        /** {@return whether a statement runs, and does not wait for the application to read rows or to send data} */
        boolean works();

        /** {@return whether no statement runs, in a transaction or not} */
        boolean idles();

        /** {@return how long the session has been in this state; null if unknown} */
        @Nullable
        Duration inState();

        /**
         * The state in words.
         *
         * @return a clause, for example {@code idle in transaction for 3.0 s}; foreign text, to be shown as plain text only
         */
        String describe();

        /** {@return the state by name, for JSON: texts, numbers, and lists of them; without a password} */
        Map<String, Object> fields();
    }
}
