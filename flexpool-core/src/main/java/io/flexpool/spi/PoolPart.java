// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolState;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A feature, as it works for one pool. flexpool calls it beside the path of requests: no request waits for any of these methods,
 * unless it says so.
 *
 * <p>All methods but {@link #tick}, {@link #start} and {@link #close} are called by any thread, also several at once. What a method
 * throws is counted, logged and shown in the pool's {@linkplain io.flexpool.monitoring.PoolView#diagnosis() diagnosis} with the part's name;
 * the other parts and the pool go on. A {@link #tick} that does not return stops the samples and the sizing of this pool alone, and is
 * shown by name as well.
 */
public interface PoolPart extends AutoCloseable {
    /** Begins. Called once, before the first tick, when the pool can be read through {@link PartContext#pool()}. */
    default void start() {}

    /**
     * Called about every 250 ms by one thread at a time, before the sizing controller decides, in the order of the parts. Must
     * return within milliseconds: slower work belongs to a thread of the part.
     *
     * @param state the pool's state, read for this tick
     * @param nowNanos the time of the pool's clock
     */
    default void tick(PoolState state, long nowNanos) {}

    /**
     * Takes what each request did. Asked once, when the part has been made.
     *
     * @return null if the part needs no leases, which is the default: then nothing is recorded for it
     */
    default @Nullable LeaseSink leases() {
        return null;
    }

    /**
     * What the part knows of the database's side of the leases. Asked once, when the part has been made.
     *
     * @return null if it knows nothing of that, which is the default
     */
    default @Nullable SessionInsight insight() {
        return null;
    }

    /**
     * Checks connections before they go back to the pool, if their statements failed, or, as a {@link SessionCheck}, for what they did
     * with the session. Asked once, when the part has been made.
     *
     * @return null if the part checks none, which is the default
     */
    default @Nullable ReturnCheck returns() {
        return null;
    }

    /**
     * What the part shows of the pool to code that knows it.
     *
     * @param type the type that is asked for
     * @param <T> the same
     * @return empty if the part has nothing of that type now
     */
    default <T> Optional<T> view(Class<T> type) {
        return Optional.empty();
    }

    /**
     * The part's metrics of this pool. Asked once, when the part has been made; each is read when a backend is.
     *
     * @return with names that {@link PoolPartProvider} promises; empty by default
     */
    default List<PartMetric> metrics() {
        return List.of();
    }

    /**
     * The part's lines in the {@linkplain io.flexpool.monitoring.PoolView#report() report}.
     *
     * @return without line breaks and without a password; empty by default
     */
    default List<String> reportLines() {
        return List.of();
    }

    /**
     * What the part knows that can have made a request fail, for the explanation. Called on the thread of a request that has failed;
     * must return at once.
     *
     * @return clauses without a full stop and without a password, the most important first; empty by default
     */
    default List<String> findings() {
        return List.of();
    }

    /**
     * What to do about the {@linkplain #findings() findings}, in place of flexpool's own advice. Called as they are; of several parts
     * the first that has some counts.
     *
     * @param cause the cause that flexpool has found, without the findings
     * @return sentences without a password; null if the findings do not explain this cause, which is the default
     */
    default @Nullable String advice(Cause cause) {
        return null;
    }

    /**
     * The part's fields in the actuator's endpoint and other JSON.
     *
     * @return texts, numbers, booleans, and lists and maps of them, by name; in their order; empty by default
     */
    default Map<String, Object> fields() {
        return Map.of();
    }

    /**
     * What the part shows in one text each, where a backend shows texts: an attribute of the pool's MBean has the name.
     *
     * @return by name, lower case words with dots between; empty by default
     */
    default Map<String, String> texts() {
        return Map.of();
    }

    /**
     * The part's details in the pool's health. They change no status.
     *
     * @return texts by name, without a password; empty by default
     */
    default Map<String, String> health() {
        return Map.of();
    }

    /**
     * What of this part hangs, fails or is off after a failure.
     *
     * @param nowNanos the time of the pool's clock
     * @return a sentence without a full stop and without a password; null if it works, which is the default
     */
    default @Nullable String trouble(long nowNanos) {
        return null;
    }

    /** The pool is about to be closed, after {@link #close}. Not called if it stays open. */
    default void poolCloses() {}

    /**
     * The last call: the pool is closed, or has been released.
     *
     * @param closed whether the pool has no connections any more
     */
    default void ended(boolean closed) {}

    /** Ends. Called once, when the pool is closed or released, in the reverse order; waits for no request and no database. */
    @Override
    default void close() {}

    /**
     * Checks leased connections after statements that failed, before they go back to the pool. Called on the threads of requests, so
     * it must return at once, unless it says so. Thread-safe. What it throws is counted and logged; the caller never sees it.
     */
    interface ReturnCheck {
        /**
         * A statement or a commit has failed.
         *
         * @param connection the pool's connection, which the application uses further
         * @param thrown what the application gets
         * @return whether the connection is to be {@linkplain #check checked} when its lease ends
         * @throws SQLException as the connection does
         */
        boolean failed(Connection connection, SQLException thrown) throws SQLException;

        /**
         * The lease has ended, and its connection, which was marked, is about to go back: nothing uses it. May ask the server, within
         * seconds.
         *
         * @param connection the pool's connection; a transaction that is open may be rolled back
         * @return whether the connection may go back to the pool; if not, the pool closes it
         * @throws SQLException as the connection does: it goes back
         */
        boolean check(Connection connection) throws SQLException;
    }

    /**
     * Also sees what each lease does with the session of its connection. The methods are called on the threads of requests, many
     * times, and must return at once. Connections of JTA transactions are left out: they outlive their leases.
     */
    interface SessionCheck extends ReturnCheck {
        /**
         * Whether statements with this text are to be reported. Asked when one is prepared.
         *
         * @param sql the text
         * @return false if it cannot change the session
         */
        boolean observes(String sql);

        /**
         * A statement is about to be executed, or to be added to a batch.
         *
         * @param connection the pool's connection; asked for what the driver knows, and once in its life for a round trip
         * @param sql the text
         * @param requestClass the class of the lease's request; empty if the pool has one class for all
         * @return whether the connection is to be {@linkplain #check checked} when its lease ends. From then on its transactions are
         *     reported
         * @throws SQLException as the connection does: nothing is noted
         */
        boolean executes(Connection connection, String sql, String requestClass) throws SQLException;

        /**
         * A property of the connection is about to be changed by a call of JDBC.
         *
         * @param connection the pool's connection, which may be asked for what holds until now
         * @param property which one
         * @return as for {@link #executes}
         * @throws SQLException as the connection does: nothing is noted
         */
        boolean changes(Connection connection, SessionProperty property) throws SQLException;

        /**
         * A transaction has been committed, also by a change to auto-commit.
         *
         * @param connection the pool's connection
         */
        void committed(Connection connection);

        /**
         * A savepoint has been set.
         *
         * @param connection the pool's connection
         * @param savepoint the driver's
         */
        void savepoint(Connection connection, Savepoint savepoint);

        /**
         * A transaction has been rolled back.
         *
         * @param connection the pool's connection
         * @param to the savepoint to which it was; null for the whole. One that was never reported is older than all that was
         */
        void rolledBack(Connection connection, @Nullable Savepoint to);

        /**
         * A connection that was to be checked is closed instead of going back to the pool, or the pool has taken it back.
         *
         * @param connection the pool's connection
         */
        void dropped(Connection connection);
    }

    /** What an application can change of a connection by JDBC's own methods, and pools often leave as it is. */
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
        TRANSACTION_ISOLATION
    }
}
