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

/** One pool in the form for its parts. Thread-safe. Made by flexpool alone; minor releases add methods. */
public interface PartContext {
    /** {@return the pool's name: the prefix of each log line about it} */
    String name();

    /** {@return the configuration of this pool} */
    PartSettings settings();

    /** {@return the time of the pool's clock, nanoseconds; a test may change it} */
    long nanos();

    /**
     * The pool.
     *
     * @return the pool's readable side
     * @throws IllegalStateException before {@link PoolPart#start()}
     */
    PoolView pool();

    /** {@return the pool's adapter: for figures and connections outside the pool; its state belongs to flexpool} */
    PoolAdapter adapter();

    /** {@return the wrapped pool, without flexpool} */
    DataSource dataSource();

    /** {@return the limit that flexpool applies to this pool; null without a limit} */
    @Nullable
    PoolLimit limit();

    /**
     * Creates threads for this part's calls that may block.
     *
     * @param most the maximum number of threads, which is reached if calls hang
     * @return a new object, which the part closes
     */
    BlockingCalls calls(int most);

    /**
     * A view that core, or a part created before this part, offers to other parts.
     *
     * @param type the type of the view, for example {@link SessionsLeft}
     * @param <T> the type
     * @return the view; empty if no part has it
     */
    <T> Optional<T> offered(Class<T> type);

    /** {@return the open leases, oldest first; a snapshot without further reads; unmodifiable} */
    List<OpenLease> openLeases();

    /** {@return the acquisition timeout; {@link Long#MAX_VALUE} nanoseconds without one} */
    Duration acquisitionTimeout();

    /** {@return the wait that 99 % of the requests must not exceed: the key {@code sizing.wait-target}} */
    Duration waitTarget();

    /** {@return how many connections the database could use, as last measured by the sizing controller, if at all} */
    OptionalInt knee();

    /** {@return the 99th percentile of the time that a new connection takes; zero if unknown} */
    Duration connectP99();

    /** {@return the number of requests that have ended since the pool was wrapped} */
    long requestsEnded();

    /**
     * The number of requests that have ended with an outcome. Reads counters, no histogram.
     *
     * @param outcome the outcome to count
     * @return the number since the pool was wrapped, not negative
     */
    long requestsEnded(AcquisitionOutcome outcome);

    /** {@return the number of connections that the pool may open now, regardless of shared limits; -1 if unknown} */
    int mayOpen();

    /**
     * The application's call site of the current JDBC call, for example in a {@link PoolPart.SessionCheck}.
     *
     * @return the call site; null if not captured, or if the calling thread is in no JDBC call
     */
    @Nullable
    String callSite();

    /** {@return whether SQL may be shown: the key {@code statement-text}} */
    boolean showsStatements();

    /**
     * The leased connections. Call it in {@link PoolPartProvider#create}: from then on the pool keeps a reference to
     * each connection.
     *
     * @return a supplier that reads the leased connections, in no order
     */
    Supplier<List<Leased>> leasedConnections();

    /**
     * Counts a connection that the part is about to open outside the pool towards the pool's number.
     *
     * @return false if the pool is full; if true, the part must call {@link #ownEnds} later
     */
    boolean ownBegins();

    /** Ends the count of a connection of the part, which is closed or was not opened. */
    void ownEnds();

    /**
     * Whether the part's own connections still fit beside the one connection that a pool always keeps. Call this method
     * on each tick while one is open, because the pool's number can fall.
     *
     * @return false if an open one must be closed
     */
    boolean ownFits();

    /** {@return whether the pool can close all its connections after a failover to another database server} */
    boolean moves();

    /**
     * Reports a failover to another database: all connections are closed, leased connections on return, and all
     * measurements are dropped.
     *
     * @param why the reason, a clause, for the log and the event
     */
    void moved(String why);

    /**
     * The configuration, for a file that is read elsewhere.
     *
     * @return by name: {@code kind}, {@code max}, {@code timeoutMillis}, and with classes {@code classes},
     *     {@code classes.<name>.guarantee}, {@code classes.<name>.max}; without unknown values and secrets;
     *     unmodifiable
     */
    Map<String, String> facts();

    /**
     * Publishes an event of the kind {@code part}: listeners get it on a thread of flexpool, and the report, the
     * endpoint and the page show it. Any thread may call this method, which does not log or block.
     *
     * @param event the event's name, lower case with hyphens; a few for each part
     * @param text a clause that follows the pool's name; secrets are masked here and in the facts
     * @param facts the event's figures and names, in the order in which they are shown; without null
     */
    void publish(String event, String text, Map<String, String> facts);

    /**
     * Counts a failure on a thread of the part, and logs one a minute. Never throws.
     *
     * @param what the subject of the sentence in the log, for example {@code the advisor}
     * @param thrown the exception
     */
    void failed(String what, Throwable thrown);

    /** A leased connection in the form for parts. Thread-safe. Made by flexpool alone; minor releases add methods. */
    interface Leased {
        /** {@return the number of the lease, unique in the pool} */
        long lease();

        /**
         * The connection.
         *
         * @return the application's connection, which it may use now and close at any moment: call only methods that
         *     the driver answers without a round trip
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
         * Ends the lease: its holder cannot use the connection any longer, and its place in the pool is free when the
         * connection has been aborted. May block. Has no effect if the lease has ended, or a JTA transaction owns it.
         *
         * @param reason a clause, for the exceptions of the holder's later calls; one of a few texts: the hundredth and later ones of a JVM are not shown
         * @param first the last call on the pool's connection, before it is aborted, for example to cancel a statement
         * @return whether this call has ended the lease
         * @throws SQLException if the abort throws; the lease has ended nevertheless
         */
        boolean end(String reason, Consumer<Connection> first) throws SQLException;
    }

    /**
     * Runs a part's calls that may block, one at a time, on a thread that exists only while it has work. A call that
     * does not return is logged, and the next call runs on another thread, up to a maximum. Thread-safe. Made by
     * flexpool alone; minor releases add methods.
     */
    interface BlockingCalls {
        /**
         * Runs a call, unless another call runs and does not hang, or the maximum hangs.
         *
         * @param what the subject of the sentence in the log, for example {@code the renewal}
         * @param work the call; its exceptions are counted and logged
         * @return false if the call was dropped
         */
        boolean run(String what, Runnable work);

        /**
         * Reports the calls that hang.
         *
         * @param nowNanos the time of the pool's clock
         * @return a sentence without a full stop; null if no call hangs
         */
        @Nullable
        String hanging(long nowNanos);

        /** Interrupts running calls and rejects further calls. */
        void close();
    }

    /**
     * The limit that flexpool applies to one pool, for a part that caps it because several pools share one number of
     * connections. Only one part of a pool caps. Thread-safe, apart from {@link #cap} and {@link #headroom}, which are
     * for the part's tick. Made by flexpool alone; minor releases add methods.
     */
    interface PoolLimit {
        /** {@return the current limit of leased connections} */
        int now();

        /** {@return the number of requests that wait for a connection} */
        int waiting();

        /** {@return the configured limit at rest, whatever the cap} */
        int base();

        /** {@return the highest configured limit, whatever the cap} */
        int ceiling();

        /** {@return whether flexpool applies the limit in the pool's current mode} */
        boolean acts();

        /** {@return whether the limit may be raised above its base: by the sizing controller, or by a strategy} */
        boolean grows();

        /** {@return the cap; {@link Integer#MAX_VALUE} without one} */
        int cap();

        /**
         * Names the origin of the cap for decisions and explanations. Called once, before the first tick.
         *
         * @param part the part's name, which endpoints show as the cause and the reason
         * @param by a noun, for example {@code the fleet 'orders'}; "allows no more connections" follows
         * @param relief the way to a higher cap, a clause that follows "flexpool"
         * @param key the key that changes the cap
         */
        void cappedBy(String part, String by, String relief, PartKey<?> key);

        /**
         * Caps the limit: the limit is never above the cap, and a pool at its base follows the base up. A higher cap is
         * ignored while the database refuses connections. A move of the limit is a decision.
         *
         * @param connections at least 1
         * @param why the reason for the decision; follows the limits before and after
         * @param state the pool's state of this tick
         */
        void cap(int connections, String why, PoolState state);

        /**
         * Sets the number of pools that share the connections, for the sizing controller.
         *
         * @param pools the number of pools, including this pool, at least 1
         */
        void sharedBy(int pools);

        /**
         * Counts a connection to be opened outside the pool: under a cap only if it fits beside the pool's.
         *
         * @param asks whether the pool shrinks for it if it does not fit, and stays smaller while it is used
         * @return whether the connection may be opened: then {@link PartContext#ownEnds} follows
         */
        boolean ownBegins(boolean asks);

        /** Like {@link #ownBegins}, but the connection is opened in any case: {@link PartContext#ownEnds} follows. */
        void ownBeginsAnyway();

        /** {@return the number of open connections outside the pool} */
        int own();

        /** {@return for how many connections outside it the pool leaves room; called once a tick} */
        int ownNeeded();

        /**
         * Sets how many more connections outside the pool may be opened.
         *
         * @param connections the number until the next call; negative if open connections must be closed
         */
        void headroom(int connections);
    }

    /** The configuration of one pool, for its parts. Immutable. Made by flexpool alone; minor releases add methods. */
    interface PartSettings {
        /**
         * A value.
         *
         * @param key one of the part's own
         * @param <T> the value's type
         * @return the given value, otherwise the key's fallback; empty without both
         */
        <T> Optional<T> get(PartKey<T> key);

        /**
         * A value of a key that has a fallback.
         *
         * @param key one of the part's own
         * @param <T> the value's type
         * @return what was given, else the key's fallback
         * @throws IllegalStateException if the key has neither
         */
        default <T> T need(PartKey<T> key) {
            Objects.requireNonNull(key, "key is null");
            return get(key).orElseThrow(
                            () -> new IllegalStateException(key.name() + " has neither a value nor a fallback"));
        }

        /**
         * Whether a value was given for a key.
         *
         * @param key the name of any key, also of core, without the prefix {@code flexpool.}
         * @return false also if only the fallback applies, or for an unknown key
         */
        boolean given(String key);

        /**
         * The effective value of a key, in words.
         *
         * @param key as for {@link #given}
         * @return the given value, otherwise the fallback; a choice in lower case with hyphens; empty without both
         */
        Optional<String> words(String key);

        /** Collects the problems of a part's values. For the checking thread. */
        interface Refusals {
            /**
             * Refuses a value. Has no effect if the key has been refused already.
             *
             * @param key one of the part's own
             * @param value the value, or a name of it; a secret is masked
             * @param rule the rule, a clause that begins with a verb: {@code must be …}, {@code needs …}
             */
            void refuse(PartKey<?> key, Object value, String rule);

            /**
             * Refuses a key of core together with the part, for example {@code sizing.instances}.
             *
             * @param key the name of the key, without the prefix {@code flexpool.}
             * @param rule the rule, a clause that begins with a verb: {@code must be left out beside …}
             * @throws IllegalArgumentException if there is no such key
             * @see ConfigKey#name()
             */
            void refuse(String key, String rule);

            /**
             * Refuses a missing value of a key.
             *
             * @param key one of the part's own
             * @param rule the rule, a clause that begins with a verb: {@code must be given with …}
             * @param neededBy the key of the part that requires this key
             */
            void missing(PartKey<?> key, String rule, PartKey<?> neededBy);
        }
    }
}
