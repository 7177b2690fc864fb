// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session state that leases of one pool have left on its connections: read it by
 * {@code pool.view(SessionStates.class)}. Figures count since the pool was wrapped. Thread-safe. Made by flexpool
 * alone; minor releases add methods.
 */
public interface SessionStates {
    /** {@return the action on a connection that returns with session state} */
    SessionAction action();

    /** {@return the number of leases that ended with session state that is not allowed} */
    long leases();

    /** {@return the number of connections that were reset} */
    long resets();

    /** {@return the number of connections closed because of their state, also after a failed reset} */
    long discards();

    /** {@return the number of executed statements with unknown effects} */
    long unknownStatements();

    /** {@return the count of each kind of left state, by its name, for example {@code advisory-lock}; unmodifiable} */
    Map<String, Long> kinds();

    /** {@return the left state and its call sites, the most frequent first; at most a hundred; unmodifiable} */
    List<LeftState> left();

    /**
     * {@return whether the application may run behind a pooler in transaction mode, such as PgBouncer, as far as its leases show;
     *     unknown on other databases than PostgreSQL}
     */
    PoolerFit poolerFit();

    /**
     * The state that outlived its transaction, so that a pooler in transaction mode would lose it, or give it to
     * another client. Without settings that PgBouncer itself tracks, such as the time zone.
     *
     * @return the state and its call sites, the most frequent first; at most a hundred by leases; unmodifiable
     */
    List<LeftState> keptBeyondTransactions();

    /** {@return the statements with unknown effects, with their executions; at most a hundred; unmodifiable} */
    List<LeftState> unknown();

    /** Whether an application may run behind a pooler that gives it a session of the server for one transaction at a time. */
    enum PoolerFit {
        /** No lease has kept session state beyond a transaction, and the effects of all statements are known. */
        FITS,
        /** Leases, or the pool's init SQL, have kept session state beyond a transaction. */
        UNFIT,
        /** There was no lease, or a statement with unknown effects. */
        UNKNOWN
    }

    /** State that leases with one call site have left by one statement. Immutable. Made by flexpool alone; minor releases add methods. */
    interface LeftState {
        /** {@return the kind of state, for example {@code setting}} */
        String kind();

        /** {@return the name of the state, for example of a variable; null without a name} */
        @Nullable
        String name();

        /** {@return the statement without literals, or the method of JDBC} */
        String statement();

        /** {@return the call site that executed it; null if unknown} */
        @Nullable
        String callSite();

        /** {@return the number of leases that left this state} */
        long leases();
    }
}
