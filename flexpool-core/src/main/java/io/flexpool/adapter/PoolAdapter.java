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
 * <p>Thread-safe. An acquisition that need not wait calls {@link #started()}, perhaps {@link #connection(long)}, and
 * with {@link Capability#TRANSACTIONS} the object that {@link #transactions()} returned. Only {@link #wake(int)},
 * {@link #trim(int)}, {@link #evict()} and methods that connect may block: see there.
 */
public interface PoolAdapter {
    /** {@return the kind of pool, for example {@code HikariCP}} */
    String type();

    /**
     * {@return the name that the application gave the pool itself; empty, as by default, if the pool has no name, or only a
     * generated one} Called when the pool is wrapped.
     */
    default Optional<String> givenName() {
        return Optional.empty();
    }

    /**
     * The statements that the pool executes on each connection that it has opened. A reset of a connection's session
     * executes them again.
     *
     * @return the statements, separated by semicolons; empty, as by default, without statements; null if the pool calls
     *     code of the application, whose statements are unknown
     */
    default @Nullable String initSql() {
        return "";
    }

    /**
     * {@return what the pool itself restores before it lends a returned connection again, as it is configured now; by default
     * nothing} Nothing else resets this state: in doubt, leave the property out. Called by requests; must not wait.
     */
    default Set<SessionProperty> restoredOnReturn() {
        return Set.of();
    }

    /** {@return the capabilities of this pool: constant, unmodifiable} */
    Set<Capability> capabilities();

    /**
     * {@return the number of physical connections the pool has opened, and the total time; by default
     * {@link ConnectTotals#NONE}} Called by flexpool's thread four times a second for a pool with {@link Capability#CONNECT_TIME}.
     */
    default ConnectTotals connects() {
        return ConnectTotals.NONE;
    }

    /**
     * The physical connects of a pool since it started. Both totals only grow. Immutable.
     *
     * @param count the number of connects
     * @param time the total time of the connects
     */
    record ConnectTotals(long count, Duration time) {
        /** No connect so far, or not reported. */
        public static final ConnectTotals NONE = new ConnectTotals(0, Duration.ZERO);
    }

    /**
     * The pool's state now. Called by flexpool's thread, and by a request that waits or has failed; never by an
     * acquisition without a wait, because many pools count under a lock of acquisitions. Must not start the pool,
     * connect or wait.
     *
     * @return the snapshot, with {@link PoolSnapshot#UNKNOWN} for values the pool does not report
     */
    PoolSnapshot snapshot();

    /**
     * The figures that {@link #snapshot()} has now or later, including figures that are unknown until the pool is used for the
     * first time, or until the user switches them on. Called when the pool is wrapped, to register a metric for each of these
     * figures; a metric is empty while its figure is unknown. For all other figures flexpool registers no metric.
     *
     * @return the figures: constant, unmodifiable; by default all
     */
    default Set<PoolSnapshot.Figure> figures() {
        return Set.of(PoolSnapshot.Figure.values());
    }

    /** {@return the pool's own acquisition timeout; empty if the pool waits without limit} */
    Optional<Duration> acquisitionTimeout();

    /** {@return the pool's own name of the acquisition timeout, for messages: for example {@code connectionTimeout}} */
    String acquisitionTimeoutKey();

    /**
     * Makes the pool ready for a gate that starts at {@code base} and may grow to {@code ceiling}. Called once, before the first
     * acquisition through flexpool.
     *
     * @param base the first lease limit, at least 1
     * @param ceiling the highest lease limit, at least {@code base}
     * @throws IllegalArgumentException if its max cannot be raised to {@code ceiling}; the message names the pool's key
     */
    void prepare(int base, int ceiling);

    /** Restores the pool's sizes from before {@link #prepare(int, int)}. Called if wrapping fails afterwards. */
    default void restore() {}

    /**
     * Whether the pool object exists. Only for pools that start with their first acquisition. Called after each acquisition,
     * successful or not, and by flexpool's own thread, until it returns true. Must not start the pool, connect or wait.
     *
     * @return true from the pool's start on; by default always true
     */
    default boolean started() {
        return true;
    }

    /**
     * Sets the physical limit of a running pool. Also called if the pool's start has failed or hangs ({@link #started()}
     * is false): the application may use such a pool directly. Has no effect without {@link Capability#LIVE_RESIZE}.
     *
     * @param max at least 1
     */
    void resize(int max);

    /**
     * Makes the pool open connections for threads that already wait inside it. May block for as long as connecting
     * takes; runs on flexpool's helper thread. Has no effect without {@link Capability#WAKE}.
     *
     * @param wanted the number of threads to serve, at least 1
     */
    default void wake(int wanted) {}

    /**
     * Closes idle connections until at most {@code max} are open. Never closes an active connection. May block; runs on
     * flexpool's helper thread.
     *
     * @param max the physical connections to keep, at least 1
     */
    default void trim(int max) {}

    /**
     * Closes every connection that is open now and idle. Leased connections stay usable; with
     * {@link Capability#EVICT_LEASED} the pool closes them on return, otherwise flexpool {@linkplain #discard discards}
     * the connections that were leased through it. Requests that wait inside the pool get new connections. May block
     * for as long as closing takes. Has no effect without {@link Capability#EVICT}.
     *
     * @throws SQLException if the pool's method throws
     */
    default void evict() throws SQLException {}

    /**
     * Gets a connection with a timeout for this call. Called only with {@link Capability#PER_CALL_TIMEOUT}.
     *
     * @param timeoutNanos the timeout, nanoseconds, more than 0
     * @return the pool's connection
     * @throws SQLException as the pool's {@code getConnection()} does
     */
    default Connection connection(long timeoutNanos) throws SQLException {
        throw new UnsupportedOperationException(type() + " has no timeout per call");
    }

    /**
     * Opens one physical connection outside the pool, in the same way as the pool: with its driver or data source, its
     * URL, user and properties. The pool does not count it. Runs on flexpool's helper thread and may block for as long
     * as connecting takes. Credentials appear in no exception and in no log line of the adapter.
     *
     * @return a new connection, which the caller closes; null, as by default, if the adapter cannot read the pool's URL and
     *     credentials, or the pool has not started
     * @throws SQLException if the connection cannot be opened
     */
    default @Nullable Connection connect() throws SQLException {
        return null;
    }

    /**
     * {@return how transactions use this pool's connections; not null with {@link Capability#TRANSACTIONS}} Called once, when
     * the pool is wrapped, and only with this capability.
     */
    default @Nullable PoolTransactions transactions() {
        return null;
    }

    /**
     * Aborts a connection; {@link #discard(Connection)} is called next. In c3p0 and Agroal 2.0 an aborted connection
     * can no longer be returned to the pool. Their adapters abort the physical connection instead; the pool detects the
     * broken connection and replaces it.
     *
     * @param connection a connection of this pool
     * @param executor runs the abort; not null
     * @throws SQLException if the abort throws
     */
    default void abort(Connection connection, Executor executor) throws SQLException {
        connection.abort(executor);
    }

    /**
     * Returns a connection that was aborted or must not be used again, so that the pool closes it and frees its place.
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
     * <p>flexpool's thread tests each lease that is older than a tick, four times a second, and ends the lease if the
     * test is true: a later close does not reach the pool. So the test must be true only if the pool has closed this
     * connection or may lend it again, and does not count it as leased to this holder; a connection that broke during
     * its lease is not reclaimed. The test must not wait for a lock that is held during a call into the database, and
     * must not use the connection in a way that the pool counts as use by the holder.
     *
     * @return the test; null, as by default, if the pool never reclaims a leased connection
     * @throws UnsupportedOperationException if the pool reclaims, and this version does not show it; the message, which
     *     is logged, names the missing member
     */
    default @Nullable Predicate<Connection> takenBack() {
        return null;
    }

    /**
     * Returns the age at which the pool may reclaim a leased connection, if the pool reclaims only when a request finds
     * it full. In a pool that flexpool limits, this request waits for a permit, so the pool would never reclaim. Called by
     * flexpool's thread while all permits are leased and requests wait. Must not wait for a lock.
     *
     * @return the age; empty, as by default, if the pool reclaims without a request, or never
     */
    default Optional<Duration> overdueAfter() {
        return Optional.empty();
    }

    /**
     * Makes the pool reclaim {@linkplain #overdueAfter() overdue} connections, as a request would. Runs on a helper
     * thread and may block for as long as connecting takes.
     *
     * @throws SQLException if the pool's method throws
     */
    default void takeBackOverdue() throws SQLException {}

    /**
     * Classifies the failure of an attempt.
     *
     * @param failure the exception that the pool threw
     * @param snapshot the pool right after the failure
     * @param waited the duration of the attempt
     * @return kind, SQLState and reason
     */
    AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited);

    /**
     * Creates the exception that this pool throws when it is exhausted, for a request that timed out at the gate. By
     * default a plain {@link SQLException}, as many pools throw, without SQLState if no connect failed.
     *
     * @param message the message
     * @param connectFailure the last connect failure, if that is the cause; its SQLState and error code are copied
     * @return an exception of the pool's own class
     */
    default SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return connectFailure == null
                ? new SQLException(message)
                : new SQLException(
                        message, connectFailure.getSQLState(), connectFailure.getErrorCode(), connectFailure);
    }

    /** {@return whether the pool has been closed, by flexpool or directly, and serves no request} */
    boolean isClosed();

    /**
     * Closes the pool by its close method. Closing twice has no effect.
     *
     * @throws Exception if the pool's close throws
     */
    void close() throws Exception;

    /**
     * How JTA transactions use the connections of a transactional pool: the pool lends one physical connection for all
     * requests of a transaction, and keeps it until the transaction ends, even if its handles are closed earlier. So
     * permit and lease follow the physical connection, not a handle.
     *
     * <p>For pools with {@link Capability#TRANSACTIONS}. All methods are called during an acquisition, by the
     * requesting thread; they must not connect or wait. Thread-safe. Exceptions are logged and ignored: the handle then
     * has a separate lease, which ends with its close.
     *
     * <p>Transactions and physical connections are any objects with identity equality, the same each time.
     */
    interface PoolTransactions {
        /** {@return the transaction of the calling thread; null without one} */
        @Nullable
        Object current();

        /**
         * The physical connection that the pool would lend the calling thread again, because its transaction has it.
         * Called before each acquisition: if flexpool has its lease, the request needs no permit and does not wait.
         *
         * @return the connection; null if the pool would lend another connection
         */
        @Nullable
        Object enlistedConnection();

        /**
         * The physical connection behind a handle that the pool has just given to the calling thread.
         *
         * @param handle the pool's connection
         * @return the connection; null if the handle's close returns it, as without transactions
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
            /** The connection has returned to the pool. Open handles are not usable any longer. */
            void returned();

            /** No transaction keeps the connection: it returns to the pool when its last handle is closed. */
            void released();
        }
    }

    /**
     * Whether a pool has connected recently, derived from its number of connections. For pools that throw the same
     * exception if they are full and if a connect hangs: a pool below its max that opened no connection while a request
     * waited cannot reach its database. A connection that replaced another between two updates is not detected.
     *
     * <p>Thread-safe: of two concurrent updates the later one counts.
     */
    final class ConnectWatch {
        /** A request that waited less is no evidence that connects fail. */
        private static final long SHORTEST_EVIDENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

        private final Ticker clock;
        private volatile Reading last;

        /** The time of the last connect, or of the last moment at which the pool was full. */
        private record Reading(int total, boolean full, long nanos) {}

        /** Begins with a pool without open connections. */
        public ConnectWatch() {
            this(Ticker.SYSTEM);
        }

        ConnectWatch(Ticker clock) {
            this.clock = clock;
            this.last = new Reading(0, false, clock.nanos());
        }

        /**
         * Records a snapshot; to be called with each one, which flexpool takes four times a second and after each failure.
         *
         * @param total the pool's connections now
         * @param max the pool's max now
         * @return the total
         */
        public int seen(int total, int max) {
            Reading before = last;
            boolean full = total >= max;
            // While the pool was full, requests waited for a return, not for a connect. A higher total shows a connect.
            if (full || before.full() || total > before.total()) {
                last = new Reading(total, full, clock.nanos());
            } else if (total < before.total()) {
                last = new Reading(total, false, before.nanos());
            }
            return total;
        }

        /**
         * Returns whether no connection was opened for the waited time although the pool was below its max.
         *
         * @param waited the time that a request waited
         * @return false also below 200 ms, which is no evidence
         */
        public boolean nothingConnectedFor(Duration waited) {
            Objects.requireNonNull(waited, "waited is null");
            long waitedNanos = waited.toNanos();
            return waitedNanos >= SHORTEST_EVIDENCE_NANOS && clock.nanos() - last.nanos() >= waitedNanos;
        }
    }

    /** A capability of a pool. The gate replaces missing capabilities, or the builder refuses the configuration. */
    enum Capability {
        /** {@link PoolAdapter#resize(int)} changes the max size of a running pool. */
        LIVE_RESIZE,
        /** {@link PoolAdapter#wake(int)} makes the pool open connections for threads that already wait inside it. */
        WAKE,
        /** {@link PoolAdapter#trim(int)} closes exactly the surplus, and only idle connections. */
        EXACT_TRIM,
        /** The pool closes connections when the lease limit falls. Otherwise connections up to the ceiling may stay open. */
        PHYSICAL_FOLLOWS_LIMIT,
        /** {@link PoolAdapter#connection(long)} supports a timeout per call. */
        PER_CALL_TIMEOUT,
        /** {@link PoolAdapter#snapshot()} reports how many threads wait inside the pool. */
        PENDING_COUNT,
        /** The adapter reports how long physical connects take. */
        CONNECT_TIME,
        /** The pool lends one connection for all requests of a JTA transaction: {@link PoolAdapter#transactions()}. */
        TRANSACTIONS,
        /** {@link PoolAdapter#evict()} closes idle connections, and {@link PoolAdapter#discard} a leased connection. */
        EVICT,
        /** After {@link PoolAdapter#evict()} the pool closes also leased connections on return, however borrowed. */
        EVICT_LEASED
    }

    /** Properties of a connection that JDBC's own methods can change, and pools often do not reset. */
    enum SessionProperty {
        /** {@link Connection#setCatalog}. */
        CATALOG,
        /** {@link Connection#setSchema}. */
        SCHEMA,
        /** {@link Connection#setClientInfo(String, String)}. */
        CLIENT_INFO,
        /** {@link Connection#setTypeMap}. */
        TYPE_MAP,
        /** {@link Connection#setHoldability}. */
        HOLDABILITY,
        /** {@link Connection#setNetworkTimeout}. */
        NETWORK_TIMEOUT,
        /** {@link Connection#setTransactionIsolation}. */
        TRANSACTION_ISOLATION,
        /** An open transaction: restored if it is rolled back. */
        TRANSACTION,
        /** The same while the connection is {@linkplain Connection#setReadOnly read-only}. */
        READ_ONLY_TRANSACTION
    }
}
