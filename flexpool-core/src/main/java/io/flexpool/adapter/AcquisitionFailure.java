// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt to get a connection failed. Derived from type, cause, SQLState and the pool's snapshot, never from the
 * text of a message. Immutable.
 */
public final class AcquisitionFailure {
    private static final int LONGEST_CHAIN = 50;
    private static final int LONGEST_STATE = 20;
    private static final int LONGEST_REASON = 1_000;

    private static final Set<String> REFUSING_STATES =
            Set.of("57P01", "57P02", "57P03", "53300", "90067", "90146", "90147", "90148", "90149");

    private final Kind kind;
    private final @Nullable String sqlState;
    private final String reason;

    /**
     * A failure with the given values; both texts are made {@linkplain PlainText plain}.
     *
     * @param kind the kind of failure
     * @param sqlState a SQLState; null without one
     * @param reason any text
     */
    public AcquisitionFailure(Kind kind, @Nullable String sqlState, String reason) {
        Objects.requireNonNull(reason, "reason is null");
        this.kind = kind;
        this.sqlState = sqlState == null ? null : PlainText.line(sqlState, LONGEST_STATE);
        this.reason = PlainText.line(reason, LONGEST_REASON);
    }

    /** The reason why an attempt failed. */
    public enum Kind {
        /** All connections were leased: a larger pool could have helped. */
        EXHAUSTED(AcquisitionOutcome.TIMEOUT),
        /** The database could not be reached or refused the connection: a larger pool makes it worse. */
        CONNECT_FAILED(AcquisitionOutcome.CONNECT_FAILURE),
        /** The thread was interrupted. */
        INTERRUPTED(AcquisitionOutcome.INTERRUPTED),
        /** The pool is closed. */
        CLOSED(AcquisitionOutcome.REJECTED),
        /** Rejected by a strategy. */
        REJECTED(AcquisitionOutcome.REJECTED),
        /** Ended early, because the pool is overloaded and the request would have been late. */
        SHED(AcquisitionOutcome.REJECTED),
        /** Any other failure of the pool. */
        OTHER(AcquisitionOutcome.ERROR);

        private final AcquisitionOutcome outcome;

        Kind(AcquisitionOutcome outcome) {
            this.outcome = outcome;
        }

        /** {@return the outcome under which statistics and metrics count a request that fails for this reason} */
        public AcquisitionOutcome outcome() {
            return outcome;
        }
    }

    /**
     * Describes a failure by type and state of its deepest cause.
     *
     * @param kind the kind of failure
     * @param failure what was thrown
     * @return the failure, described
     */
    public static AcquisitionFailure of(Kind kind, Throwable failure) {
        Objects.requireNonNull(failure, "failure is null");
        String sqlState = null;
        Throwable deepest = failure;
        for (Throwable at : chain(failure)) {
            if (at instanceof SQLException sql && sql.getSQLState() != null) {
                sqlState = sql.getSQLState();
            }
            deepest = at;
        }
        return new AcquisitionFailure(kind, sqlState, describe(deepest));
    }

    /** {@return the kind of failure} */
    public Kind kind() {
        return kind;
    }

    /** {@return the SQLState of the deepest SQLException with a SQLState, at most 20 characters; null without one} */
    public @Nullable String sqlState() {
        return sqlState;
    }

    /** {@return type and message's first line of the deepest failure, at most 1,000 characters} */
    public String reason() {
        return reason;
    }

    /**
     * Whether a failure shows that the database was unreachable or refused: by exception type (JDBC's connection and
     * authorisation types, {@link IOException}) or by SQLState: class 08 (connection), 28 (authorisation), 3D (no such
     * database), 53300 (PostgreSQL: too many connections), 57P01 to 57P03 (PostgreSQL: shutting down, starting); 90067
     * and 90146 to 90149 (H2: connection broken, no such database). The whole chain of causes is read.
     *
     * @param failure what was thrown
     * @return false if no exception of the chain shows this
     */
    public static boolean refusedByDatabase(@Nullable Throwable failure) {
        for (Throwable at : chain(failure)) {
            if (at instanceof IOException
                    || at instanceof SQLNonTransientConnectionException
                    || at instanceof SQLInvalidAuthorizationSpecException
                    || (at instanceof SQLException sql && refusingState(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean refusingState(@Nullable String state) {
        return state != null
                && (state.startsWith("08")
                        || state.startsWith("28")
                        || state.startsWith("3D")
                        || REFUSING_STATES.contains(state));
    }

    /**
     * Whether an interrupt is in the chain of causes.
     *
     * @param failure what was thrown
     * @return true if the chain has an interrupt
     */
    public static boolean interrupted(Throwable failure) {
        for (Throwable at : chain(failure)) {
            if (at instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Restores the thread's interrupt flag if a failure was caused by an interrupt; for an adapter that swallows the
     * failure.
     *
     * @param failure what was thrown
     */
    public static void restoreInterrupt(Throwable failure) {
        if (interrupted(failure)) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The failure and its causes. Causes may form a cycle: the list ends after {@value #LONGEST_CHAIN}.
     *
     * @param failure the exception; null for an empty list
     * @return the exceptions from the outermost to the deepest
     */
    public static List<Throwable> chain(@Nullable Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable at = failure; at != null && chain.size() < LONGEST_CHAIN; at = at.getCause()) {
            chain.add(at);
        }
        return chain;
    }

    private static String describe(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getSimpleName();
        return message == null || message.isBlank()
                ? type
                : type + ": " + message.lines().findFirst().orElse("").strip();
    }
}
