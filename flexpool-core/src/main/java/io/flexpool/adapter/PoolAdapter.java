// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads and resizes one pool. An adapter depends on its pool and on this package only.
 *
 * <p>Thread-safe. On the direct path of an acquisition only {@link #started()} is called and, with
 * {@link Capability#TRANSACTIONS}, the object that {@link #transactions()} returned. Only {@link #wake(int)},
 * {@link #trim(int)}, {@link #evict()}, and those that connect may block: see there.
 */
public interface PoolAdapter {
    /** {@return the kind of pool, for example {@code HikariCP}} */
    String type();

    /**
     * The name that the application gave the pool itself. Called when the pool is wrapped.
     *
     * @return empty, as by default, if the pool has no name, or only a generated one
     */
    default Optional<String> givenName() {
        return Optional.empty();
    }

    /**
     * The statements that the pool executes on each connection that it has opened. Whoever resets the session of a
     * connection executes them again.
     *
     * @return separated by semicolons, as the database reads several statements; empty if there are none, which is the
     *     default; null if the pool calls code of the application, of which it is unknown what it executes
     */
    default @Nullable String initSql() {
        return "";
    }

    /** {@return what this pool can do: constant, unmodifiable} */
    Set<Capability> capabilities();

    /**
     * The number of physical connections the pool has opened, and the total time. Called by flexpool's thread four
     * times a second for a pool with {@link Capability#CONNECT_TIME}.
     *
     * @return by default nothing
     */
    default ConnectTotals connects() {
        return ConnectTotals.NONE;
    }

    /**
     * The physical connects of a pool since it started. Both totals only grow. Immutable.
     *
     * @param count number of connects
     * @param time their total time
     */
    record ConnectTotals(long count, Duration time) {
        /** None so far, or not reported. */
        public static final ConnectTotals NONE = new ConnectTotals(0, Duration.ZERO);
    }

    /**
     * The pool's state now. Called by flexpool's thread, and by a request that waits or has failed; never on the direct
     * path, because many pools count under a lock that acquisitions take too. Must not start the pool, connect or wait.
     *
     * @return the snapshot, with {@link PoolSnapshot#UNKNOWN} for values the pool does not report
     */
    PoolSnapshot snapshot();

    /**
     * The figures that {@link #snapshot()} has now or later, including figures that are unknown until the pool is used for the
     * first time, or until the user switches them on. Called when the pool is wrapped, to register a metric for each of these
     * figures; a metric is empty while its figure is unknown. For all other figures flexpool registers no metric.
     *
     * @return constant, unmodifiable; by default all
     */
    default Set<PoolSnapshot.Figure> figures() {
        return Set.of(PoolSnapshot.Figure.values());
    }

    /** {@return the pool's own acquisition timeout; empty if the pool waits for ever} */
    Optional<Duration> acquisitionTimeout();

    /** {@return the pool's own name for that setting, for messages: for example {@code connectionTimeout}} */
    String acquisitionTimeoutKey();

    /**
     * Makes the pool ready for a gate that starts at {@code base} and may grow to {@code ceiling}. Called once, before the first
     * acquisition through flexpool.
     *
     * @param base the first lease limit, at least 1
     * @param ceiling the highest lease limit there will be, at least {@code base}
     * @throws IllegalArgumentException if this pool's max cannot be brought to {@code ceiling}; the message names the pool's key
     */
    void prepare(int base, int ceiling);

    /** Puts back the sizes that the pool had before {@link #prepare(int, int)}. Called if wrapping fails afterwards. */
    default void restore() {}

    /**
     * Whether the pool object exists. Only for pools that start with their first acquisition. Called after each acquisition,
     * successful or not, and by flexpool's own thread, until it returns true. Must not start the pool, connect or wait.
     *
     * @return true from the pool's start on; by default always
     */
    default boolean started() {
        return true;
    }

    /**
     * Sets the physical limit of the running pool, or of one whose start has failed or hangs ({@link #started()} is
     * still false): it may be used directly. Does nothing without {@link Capability#LIVE_RESIZE}.
     *
     * @param max at least 1
     */
    void resize(int max);

    /**
     * Makes the pool open connections for threads that already wait inside it. May block for as long as connecting
     * takes; runs on flexpool's helper thread. Does nothing without {@link Capability#WAKE}.
     *
     * @param wanted how many threads to serve, at least 1
     */
    default void wake(int wanted) {}

    /**
     * Closes idle connections until at most {@code max} are open. Never closes an active one. May block; runs on
     * flexpool's helper thread.
     *
     * @param max the physical connections to keep, at least 1
     */
    default void trim(int max) {}

    /**
     * Closes every connection that is open now and idle. A leased one stays usable; with
     * {@link Capability#EVICT_LEASED} the pool closes it when it comes back, else flexpool
     * {@linkplain #discard discards} those that were leased through it. Requests that wait inside the pool are served
     * by new connections. May block for as long as closing takes. Does nothing without {@link Capability#EVICT}.
     *
     * @throws SQLException if the pool's method throws
     */
    default void evict() throws SQLException {}

    /**
     * Gets a connection with a timeout for this call. Called only with {@link Capability#PER_CALL_TIMEOUT}.
     *
     * @param timeoutNanos how long to wait, nanoseconds, more than 0
     * @return the pool's connection
     * @throws SQLException as the pool's {@code getConnection()} does
     */
    default Connection connection(long timeoutNanos) throws SQLException {
        throw new UnsupportedOperationException(type() + " has no timeout per call");
    }

    /**
     * Opens one physical connection past the pool, as the pool would open its own: with its driver or data source, its URL, user
     * and properties. The pool neither counts nor knows it. Runs on flexpool's helper thread and may block for as long as
     * connecting takes. Credentials stay inside: they appear in no exception and in no log line of the adapter.
     *
     * @return a new connection, which the caller closes; null, as by default, if the adapter cannot read the pool's URL and
     *     credentials, or the pool has not started
     * @throws SQLException if the connection cannot be opened
     */
    default @Nullable Connection connect() throws SQLException {
        return null;
    }

    /**
     * How transactions use this pool's connections. Called once, when the pool is wrapped, and only
     * with {@link Capability#TRANSACTIONS}: a pool without it pays nothing.
     *
     * @return not null with that capability
     */
    default @Nullable PoolTransactions transactions() {
        return null;
    }

    /**
     * Aborts a connection; {@link #discard(Connection)} is called next. In c3p0 and Agroal 2.0 an aborted connection
     * can no longer be returned to the pool. Their adapters abort the physical connection instead, which the pool finds
     * dead and replaces.
     *
     * @param connection a connection of this pool
     * @param executor runs the abort; not null
     * @throws SQLException if the abort throws
     */
    default void abort(Connection connection, Executor executor) throws SQLException {
        connection.abort(executor);
    }

    /**
     * Gives back a connection that was aborted or must not be used again, so that the pool closes it and frees its place.
     *
     * @param connection a connection of this pool
     * @throws SQLException if the pool's close throws
     */
    default void discard(Connection connection) throws SQLException {
        connection.close();
    }

    /**
     * Returns a test of whether the pool has reclaimed a leased connection that its holder has not closed: because it
     * is overdue ({@code removeAbandoned}, {@code unreturnedConnectionTimeout}), or by another method of the pool.
     * Called once, when the pool is wrapped.
     *
     * <p>flexpool's thread tests each lease that is older than a tick with it, four times a second, and ends those for
     * which it is true: a later close does not reach the pool. So it must be true only if the pool has closed this
     * connection or may lend it again, and no longer counts it as leased to this holder; a connection that broke while
     * it is leased is not taken back. It must not wait for a lock that is held during a call into the database, and
     * must not use the connection in a way that the pool takes for use by its holder.
     *
     * @return null, as by default, if the pool never takes a leased connection back
     * @throws UnsupportedOperationException if it does, and this version of the pool does not show it; the message,
     *     which is logged, names what is missing
     */
    default @Nullable Predicate<Connection> takenBack() {
        return null;
    }

    /**
     * Returns the age at which the pool may reclaim a leased connection, if it does so only when a request finds it
     * full. In a pool that flexpool limits, this request waits for a permit, so the pool would never reclaim. Called by
     * flexpool's thread while all permits are leased and requests wait. Must not wait for a lock.
     *
     * @return empty, as by default, if the pool needs no request for it, or never takes a leased connection back
     */
    default Optional<Duration> overdueAfter() {
        return Optional.empty();
    }

    /**
     * Has the pool take back what is {@linkplain #overdueAfter() overdue}, as a request would. Runs on a helper thread
     * and may block for as long as connecting takes.
     *
     * @throws SQLException if the pool's method throws
     */
    default void takeBackOverdue() throws SQLException {}

    /**
     * Classifies the failure of an attempt.
     *
     * @param failure what the pool threw
     * @param snapshot the pool right after the failure
     * @param waited how long the attempt took
     * @return kind, SQLState and reason
     */
    AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited);

    /**
     * Creates the exception that this pool throws when it is exhausted, for a request that timed out at the gate. By
     * default a plain {@link SQLException}, as many pools throw, without SQLState if no connect failed.
     *
     * @param message the message
     * @param connectFailure the last connect failure, if that is the cause; its SQLState and error code are taken over
     * @return an exception of the pool's own class
     */
    default SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLException(message)
                : new SQLException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    /** {@return whether the pool has been closed, by flexpool or directly: it returns no connection any more} */
    boolean isClosed();

    /**
     * Closes the pool by its close method. Closing twice has no effect.
     *
     * @throws Exception if the pool's close throws
     */
    void close() throws Exception;

    /**
     * How JTA transactions use the connections of a pool that takes part in them: the pool lends one physical
     * connection for all requests of a transaction, and keeps it until the transaction ends, even if its handles are
     * closed earlier. So permit and lease follow the physical connection, not a handle.
     *
     * <p>For pools with {@link Capability#TRANSACTIONS}. All methods are called during an acquisition, by the
     * requesting thread; they must not connect or wait. Thread-safe. Exceptions are logged and ignored: the handle then
     * has a separate lease, which ends with its close.
     *
     * <p>Transactions and physical connections are any objects with identity equality, the same each time.
     */
    interface PoolTransactions {
        /** {@return the transaction of the calling thread; null if it has none} */
        @Nullable
        Object current();

        /**
         * The physical connection that the pool would lend the calling thread again, because its transaction has it.
         * Called before each acquisition: if flexpool knows it, the request needs no permit and does not wait.
         *
         * @return null if the pool would lend another one
         */
        @Nullable
        Object enlistedConnection();

        /**
         * The physical connection behind a handle that the pool has just given to the calling thread.
         *
         * @param handle the pool's connection
         * @return null if the pool takes it back with the handle's close, as without transactions
         */
        @Nullable
        Object physicalConnection(Connection handle);

        /**
         * Registers a callback for the return of a physical connection that the pool has just lent. Called once for each loan.
         *
         * @param connection from {@link #physicalConnection}
         * @param lease the callback; may be called at any time, also by other threads and before this method returns
         */
        void onReturn(Object connection, ReturnListener lease);

        /** A lease of a connection that a transaction may keep. Calls on an ended lease have no effect. */
        interface ReturnListener {
            /** The pool has taken the connection back. Open handles are no longer usable. */
            void returned();

            /** No transaction keeps the connection any longer: the pool takes it back when its last handle is closed. */
            void released();
        }
    }

    /**
     * Whether a pool has connected recently, derived from its number of connections. For pools that throw the same
     * exception if they are full and if a connect hangs: a pool below its max that opened no connection while a request
     * waited cannot reach its database. A connection that replaced another one between two updates is not noticed.
     *
     * <p>Thread-safe: of two concurrent updates the later one counts.
     */
    final class ConnectWatch {
        /** A shorter wait is no evidence. */
        private static final long SHORTEST_EVIDENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

        private final Ticker clock;
        private volatile Reading last;

        /** The time of the last connect, or of the last moment without room for one. */
        private record Reading(int total, boolean full, long nanos) {}

        /** Begins with a pool that has nothing open. */
        public ConnectWatch() {
            this(Ticker.SYSTEM);
        }

        ConnectWatch(Ticker clock) {
            this.clock = clock;
            this.last = new Reading(0, false, clock.nanos());
        }

        /**
         * Updates the watch; to be called with each snapshot, which flexpool takes four times a second and after each failure.
         *
         * @param total the pool's connections now
         * @param max the most it may have now
         * @return the total
         */
        public int seen(int total, int max) {
            Reading before = last;
            boolean full = total >= max;
            // A request that waited while the pool was full waited for room; a pool below that had room before.
            if (full || before.full() || total > before.total()) {
                last = new Reading(total, full, clock.nanos());
            } else if (total < before.total()) {
                last = new Reading(total, false, before.nanos());
            }
            return total;
        }

        /**
         * Returns whether no connection was opened for that long although the pool was below its max.
         *
         * @param waited how long a request waited
         * @return false also after less than 200 ms, which is no evidence
         */
        public boolean nothingConnectedFor(Duration waited) {
            Objects.requireNonNull(waited, "waited is null");
            long waitedNanos = waited.toNanos();
            return waitedNanos >= SHORTEST_EVIDENCE_NANOS && clock.nanos() - last.nanos() >= waitedNanos;
        }
    }

    /** What a pool supports. The gate compensates for missing capabilities, or the builder refuses the configuration. */
    enum Capability {
        /** {@link PoolAdapter#resize(int)} changes the max size of a running pool. */
        LIVE_RESIZE,
        /** {@link PoolAdapter#wake(int)} makes the pool open connections for threads that already wait inside it. */
        WAKE,
        /** {@link PoolAdapter#trim(int)} closes exactly the surplus, and only idle connections. */
        EXACT_TRIM,
        /** The physical connections follow the lease limit down; without it up to the ceiling may stay open. */
        PHYSICAL_FOLLOWS_LIMIT,
        /** {@link PoolAdapter#connection(long)} supports a timeout per call. */
        PER_CALL_TIMEOUT,
        /** {@link PoolAdapter#snapshot()} reports how many threads wait inside the pool. */
        PENDING_COUNT,
        /** The adapter reports how long physical connects take. */
        CONNECT_TIME,
        /** The pool lends one connection for all requests of a JTA transaction: {@link PoolAdapter#transactions()}. */
        TRANSACTIONS,
        /** {@link PoolAdapter#evict()} closes the idle connections, and {@link PoolAdapter#discard} a leased one. */
        EVICT,
        /**
         * {@link PoolAdapter#evict()} has the pool close the leased connections too when they come back, however they
         * were borrowed.
         */
        EVICT_LEASED
    }
}
