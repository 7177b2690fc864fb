// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One pool, as its parts see it. Thread-safe. Made by flexpool alone; minor releases add methods. */
public interface PartContext {
    /** {@return the pool's name: the prefix of each log line about it} */
    String name();

    /** {@return the type of the wrapped pool, for example {@code HikariCP}} */
    String type();

    /** {@return what is configured for this pool} */
    PartSettings settings();

    /** {@return the time of the pool's clock, nanoseconds: a test may move it} */
    long nanos();

    /**
     * The pool.
     *
     * @return its readable side
     * @throws IllegalStateException before {@link PoolPart#start()}
     */
    PoolView pool();

    /** {@return the pool's adapter: figures, and connections past the pool; its state belongs to flexpool} */
    PoolAdapter adapter();

    /** {@return the wrapped pool, past flexpool} */
    DataSource dataSource();

    /** {@return the limit that flexpool keeps; null if it keeps none for this pool} */
    @Nullable
    PoolLimit limit();

    /**
     * Where calls run that may block, for this part alone.
     *
     * @param most the highest number of threads, which is reached if calls hang
     * @return a new object, which the part closes
     */
    BlockingCalls calls(int most);

    /**
     * A view that core, or a part that was made before this one, offers to other parts.
     *
     * @param type the type of the view, for example {@link SessionsLeft}
     * @param <T> the same
     * @return empty if none has it
     */
    <T> Optional<T> offered(Class<T> type);

    /** {@return the open leases, oldest first; a snapshot that causes nothing else to be read; unmodifiable} */
    List<OpenLease> openLeases();

    /** {@return the acquisition timeout; {@link Long#MAX_VALUE} nanoseconds if there is none} */
    Duration acquisitionTimeout();

    /** {@return the wait that 99 % of the requests must not exceed: the key {@code sizing.wait-target}} */
    Duration waitTarget();

    /** {@return how many connections the database could use when the sizing controller measured that last; empty if it did not} */
    OptionalInt knee();

    /** {@return the 99th percentile of the time that a new connection takes; zero if it is not known} */
    Duration connectP99();

    /** {@return how many requests have ended since the pool was wrapped} */
    long requestsEnded();

    /**
     * How many requests have ended with an outcome. Reads counters, no histogram.
     *
     * @param outcome the outcome to count
     * @return since the pool was wrapped, not negative
     */
    long requestsEnded(AcquisitionOutcome outcome);

    /** {@return how many connections the pool may open now, whatever it shares with others; -1 if that is not known} */
    int mayOpen();

    /**
     * The application's code whose call of JDBC has led to this call, for example of a {@link PoolPart.SessionCheck}.
     *
     * @return as call sites are named; null if they are not captured, or the calling thread is in no call of JDBC
     */
    @Nullable
    String callSite();

    /** {@return whether SQL may be shown: the key {@code statement-text}} */
    boolean showsStatements();

    /**
     * The leased connections. Call it in {@link PoolPartProvider#create}: from then on the pool keeps a reference to each of them.
     *
     * @return reads the leased connections, in no order
     */
    Supplier<List<Leased>> leasedConnections();

    /**
     * Counts a connection that the part is about to open without the pool, so that it belongs to the pool's number.
     *
     * @return false if the pool has no room for it; if true, the part must call {@link #ownEnds} later
     */
    boolean ownBegins();

    /** A connection of the part is closed, or was not opened. */
    void ownEnds();

    /**
     * Whether the part's own connections still fit beside the one that a pool always keeps. Call it on each tick while one is
     * open, because the pool's number can fall.
     *
     * @return false if one that is open must be closed
     */
    boolean ownFits();

    /** {@return whether the pool can close all its connections after a failover to another database server} */
    boolean moves();

    /**
     * The database is another one from now on: all connections are closed, those that are leased when they come back, and what
     * was measured is forgotten.
     *
     * @param why the reason, a clause, for the log and the event
     */
    void moved(String why);

    /**
     * What is configured, for a file that is read elsewhere.
     *
     * @return by name: {@code kind}, {@code max}, {@code timeoutMillis}, and of a pool with classes {@code classes},
     *     {@code classes.<name>.guarantee}, {@code classes.<name>.max}; without what is unknown, and without a secret; unmodifiable
     */
    Map<String, String> facts();

    /**
     * Publishes an event of the kind {@code part}: listeners get it on a thread of flexpool, and the report, the endpoint and the
     * page show it. Any thread may call it. It does not log or block.
     *
     * @param event the event's name, lower case with hyphens; a few for each part
     * @param text a clause that follows the pool's name; secrets are masked here and in the facts
     * @param facts its figures and names, in the order in which they are shown; without null
     */
    void publish(String event, String text, Map<String, String> facts);

    /**
     * Counts what failed on a thread of the part, and logs the first of each hundred. Never throws.
     *
     * @param what the subject of the sentence in the log, for example {@code the advisor}
     * @param thrown what it threw
     */
    void failed(String what, Throwable thrown);

    /** A leased connection, as a part finds it. Thread-safe. Made by flexpool alone; minor releases add methods. */
    interface Leased {
        /** {@return the number of the lease, which no other one of the pool has} */
        long lease();

        /**
         * The connection.
         *
         * @return what the application holds: it may use it now, and close it at any moment; only to be asked for what the driver
         *     knows without a round trip
         */
        Connection connection();

        /** {@return when the lease began, by the pool's clock} */
        long acquiredNanos();

        /** {@return the class of the lease's request; empty if the pool has one class for all} */
        String requestClass();

        /** {@return the lease as it is now; null if it has ended} */
        @Nullable
        OpenLease read();

        /**
         * Ends the lease: its holder cannot use the connection any more, and the pool gets its place back when the connection has been
         * aborted. May block. Does nothing if the lease has ended, or a JTA transaction owns it.
         *
         * @param reason a clause, for the exceptions of the holder's later calls; one of a few texts: the hundredth and later ones of a JVM are not shown
         * @param first the last call on the pool's connection, before it is aborted, for example to cancel a statement
         * @return whether this call has ended the lease
         * @throws SQLException if the abort throws; the lease has ended nevertheless
         */
        boolean end(String reason, Consumer<Connection> first) throws SQLException;
    }

    /**
     * Runs a part's calls that may block, one at a time, on a thread that exists only while there is work. A call that does not return
     * is logged, and the next one runs on another thread, up to a maximum. Thread-safe. Made by flexpool alone; minor releases add
     * methods.
     */
    interface BlockingCalls {
        /**
         * Runs a call, unless another one runs that does not hang, or the maximum hangs.
         *
         * @param what names it in logs, for example {@code renewal}
         * @param work the call; what it throws is counted and logged
         * @return false if it was dropped
         */
        boolean run(String what, Runnable work);

        /**
         * Which calls hang.
         *
         * @param nowNanos the time of the pool's clock
         * @return a sentence without a full stop; null if none hangs
         */
        @Nullable
        String hanging(long nowNanos);

        /** Interrupts running calls and rejects further ones. */
        void close();
    }

    /**
     * The limit that flexpool keeps for one pool, for a part that caps it because several pools share one number of connections. One
     * part of a pool caps. Thread-safe, apart from {@link #cap} and {@link #headroom}, which are for the part's tick. Made by flexpool alone;
     * minor releases add methods.
     */
    interface PoolLimit {
        /** {@return the limit now: how many connections may be leased} */
        int now();

        /** {@return how many requests wait for a connection} */
        int waiting();

        /** {@return the limit at rest that is configured, whatever the cap} */
        int base();

        /** {@return the highest limit that is configured, whatever the cap} */
        int ceiling();

        /** {@return whether flexpool keeps the limit in the pool's mode now} */
        boolean acts();

        /** {@return whether the limit may be raised above its base: by the sizing controller, or by a strategy} */
        boolean grows();

        /** {@return the cap; {@link Integer#MAX_VALUE} without one} */
        int cap();

        /**
         * Names what caps the pool, for the sentences of decisions and explanations. Called once, before the first tick.
         *
         * @param part the part's name, which endpoints show as the cause and the reason
         * @param by a noun, for example {@code the fleet 'orders'}; "allows no more" follows
         * @param relief what would give the pool more, a clause that follows "flexpool"
         * @param key the key that would change the cap
         */
        void cappedBy(String part, String by, String relief, PartKey<?> key);

        /**
         * Caps the limit: no limit is above it, and a pool that was at its base follows the base up. A higher cap is not taken while the
         * database refuses connections. If the limit moves, that is a decision.
         *
         * @param connections at least 1
         * @param why for the decision; follows the limit before and after
         * @param state the pool's state, as the tick has it
         */
        void cap(int connections, String why, PoolState state);

        /**
         * How many pools share the number, for the sizing controller.
         *
         * @param pools with this one, at least 1
         */
        void sharedBy(int pools);

        /**
         * A connection past the pool is about to be opened: under a cap only if it fits beside the pool's own.
         *
         * @param asks whether room is made for it if it does not fit. That is kept while it is used
         * @return whether it may be opened: then {@link PartContext#ownEnds} follows
         */
        boolean ownBegins(boolean asks);

        /** The same where it is opened whether it fits or not: {@link PartContext#ownEnds} follows. */
        void ownBeginsAnyway();

        /** {@return how many connections past the pool are open} */
        int own();

        /** {@return for how many of them the pool leaves room; called once a tick} */
        int ownNeeded();

        /**
         * How many more of them may be opened.
         *
         * @param connections until this is called again; negative if some that are open must be closed
         */
        void headroom(int connections);
    }

    /** What is configured for one pool, as a part reads it. Immutable. Made by flexpool alone; minor releases add methods. */
    interface PartSettings {
        /**
         * A value.
         *
         * @param key one of the part's own
         * @param <T> the value's type
         * @return what was given, else the key's fallback; empty if there is neither
         */
        <T> Optional<T> get(PartKey<T> key);

        /**
         * A value of a key that has a fallback.
         *
         * @param key one of the part's own
         * @param <T> the value's type
         * @return what was given, else the key's fallback
         * @throws IllegalStateException if there is neither
         */
        default <T> T need(PartKey<T> key) {
            Objects.requireNonNull(key, "key is null");
            return get(key).orElseThrow(
                            () -> new IllegalStateException(key.name() + " has neither a value nor a fallback"));
        }

        /**
         * Whether a value was given for a key.
         *
         * @param key the name of any key, of core's too, without the prefix {@code flexpool.}
         * @return false also if only a fallback holds, or if there is no such key
         */
        boolean given(String key);

        /**
         * What holds for a key, in words.
         *
         * @param key as for {@link #given}
         * @return what was given, else the fallback; a choice in lower case with hyphens; empty if there is neither, or no such key
         */
        Optional<String> words(String key);

        /** Takes what is wrong with a part's values. For the thread that checks. */
        interface Refusals {
            /**
             * Refuses a value. Does nothing if the key has been refused already.
             *
             * @param key one of the part's own
             * @param value the value, or what names it; a secret is masked
             * @param rule what it must be, as a clause that begins with a verb: {@code must be …}, {@code needs …}
             */
            void refuse(PartKey<?> key, Object value, String rule);

            /**
             * Refuses a key of core beside the part, for example {@code sizing.instances}.
             *
             * @param key the name of the key, without the prefix {@code flexpool.}
             * @param rule what holds, as a clause that begins with a verb: {@code must be left out beside …}
             * @throws IllegalArgumentException if there is no such key
             * @see ConfigKey#name()
             */
            void refuse(String key, String rule);

            /**
             * Says that a key has no value and must have one.
             *
             * @param key one of the part's own
             * @param rule what holds, as a clause that begins with a verb: {@code must be given with …}
             * @param neededBy the key of the part because of which it is needed
             */
            void missing(PartKey<?> key, String rule, PartKey<?> neededBy);
        }
    }
}
