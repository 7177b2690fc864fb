// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
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
 * A feature of one pool. flexpool calls it outside the path of requests: no request waits for a method, unless its
 * documentation says so.
 *
 * <p>All methods but {@link #tick}, {@link #start} and {@link #close} are called by any thread, also several at once.
 * Exceptions are counted, logged and shown in the pool's
 * {@linkplain io.flexpool.monitoring.PoolView#diagnosis() diagnosis} with the part's name; other parts continue. A
 * {@link #tick} that does not return stops the samples and the sizing of this pool alone, and is shown by name as well.
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
     * The receiver of the requests' records. Read once, when the part has been created.
     *
     * @return the receiver; null, as by default, if the part needs no leases: then no lease is recorded for it
     */
    default @Nullable LeaseSink leases() {
        return null;
    }

    /**
     * The part's information on the sessions of leases. Read once, when the part has been created.
     *
     * @return the information; null, as by default, without any
     */
    default @Nullable SessionInsight insight() {
        return null;
    }

    /**
     * Checks connections before they go back to the pool, if their statements failed, or, as a {@link SessionCheck},
     * for their changes to the session. Read once, when the part has been created.
     *
     * @return the check; null, as by default, without one
     */
    default @Nullable ReturnCheck returns() {
        return null;
    }

    /**
     * The part's typed view of the pool, for code that depends on the part's module.
     *
     * @param type the requested type
     * @param <T> the same
     * @return the view; empty without a view of this type now
     */
    default <T> Optional<T> view(Class<T> type) {
        return Optional.empty();
    }

    /**
     * The part's metrics of this pool. Read once, when the part has been created; their values are read with a backend.
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
     * The part's possible reasons of a failed request, for the explanation. Called on the thread of a failed request;
     * must return at once.
     *
     * @return clauses without a full stop and without a password, the most important first; empty by default
     */
    default List<String> findings() {
        return List.of();
    }

    /**
     * Advice on the {@linkplain #findings() findings}, in place of flexpool's own advice. Called like
     * {@link #findings()}; the first part with advice counts.
     *
     * @param cause the cause that flexpool has found, without the findings
     * @return sentences without a password; null, as by default, if the findings do not explain this cause
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
     * The part's texts, for backends that show texts: attributes of the pool's MBean have their names.
     *
     * @return the texts by name, lower case words separated by dots; empty by default
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
     * The part's problem: a part that hangs, fails or is disabled after a failure.
     *
     * @param nowNanos the time of the pool's clock
     * @return a sentence without a full stop and without a password; null, as by default, if the part works
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
     * Checks leased connections after statements that failed, before they go back to the pool. Called on the threads of
     * requests, so they must return at once, unless documented otherwise. Thread-safe. Exceptions are counted and
     * logged only.
     */
    interface ReturnCheck {
        /**
         * A statement or a commit has failed.
         *
         * @param connection the pool's connection, which the application may continue to use
         * @param thrown the exception for the application
         * @return whether the connection is to be {@linkplain #check checked} when its lease ends
         * @throws SQLException as the connection does
         */
        boolean failed(Connection connection, SQLException thrown) throws SQLException;

        /**
         * The lease has ended, and its marked and unused connection is about to return to the pool. May query the
         * server, within seconds.
         *
         * @param connection the pool's connection; a transaction that is open may be rolled back
         * @return whether the connection may go back to the pool; if not, the pool closes it
         * @throws SQLException as the connection does: then it returns to the pool
         */
        boolean check(Connection connection) throws SQLException;
    }

    /**
     * Also observes the changes of each lease to its session. The methods are called on the threads of requests, many
     * times, and must return at once. Connections of JTA transactions are left out: they outlive their leases.
     */
    interface SessionCheck extends ReturnCheck {
        /**
         * Whether statements with this text are to be reported. Called when a statement is prepared.
         *
         * @param sql the text
         * @return false if the statement cannot change the session
         */
        boolean observes(String sql);

        /**
         * A statement is about to be executed, or to be added to a batch.
         *
         * @param connection the pool's connection; for calls without a round trip, and one round trip in its life
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
         * @param connection the pool's connection, whose current value may be read
         * @param property the property
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
         * @param to the savepoint; null for the whole transaction. An unreported savepoint is older than all others
         */
        void rolledBack(Connection connection, @Nullable Savepoint to);

        /**
         * A connection to be checked is closed in place of its return to the pool, or the pool has reclaimed it.
         *
         * @param connection the pool's connection
         */
        void dropped(Connection connection);
    }
}
