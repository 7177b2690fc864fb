// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The session state that leases of one pool have left on its connections: read it by {@code pool.view(SessionStates.class)}. A figure
 * counts since the pool was wrapped. Thread-safe. Made by flexpool alone; minor releases add methods.
 */
public interface SessionStates {
    /** {@return what is done with a connection that comes back with session state} */
    SessionAction action();

    /** {@return how many leases have ended with session state that is not allowed} */
    long leases();

    /** {@return how many connections have been reset} */
    long resets();

    /** {@return how many connections have been closed because of their state, also those whose reset failed} */
    long discards();

    /** {@return how many executed statements could not be judged} */
    long unknownStatements();

    /** {@return how often each kind of state was left, by its name, for example {@code advisory-lock}; unmodifiable} */
    Map<String, Long> kinds();

    /** {@return what was left and where, the most frequent first; at most a hundred; unmodifiable} */
    List<LeftState> left();

    /**
     * {@return whether the application may run behind a pooler in transaction mode, such as PgBouncer, as far as its leases show;
     *     unknown on other databases than PostgreSQL}
     */
    PoolerFit poolerFit();

    /**
     * What was set in one transaction and was still there after it, so that a pooler in transaction mode would lose it, or give it to
     * another client. A setting that PgBouncer itself follows, such as the time zone, is left out.
     *
     * @return where, the most frequent first; at most a hundred by leases; unmodifiable
     */
    List<LeftState> keptBeyondTransactions();

    /** {@return the statements that could not be judged, with how often each was executed; at most a hundred; unmodifiable} */
    List<LeftState> unknown();

    /** Whether an application may run behind a pooler that gives it a session of the server for one transaction at a time. */
    enum PoolerFit {
        /** No lease has kept session state beyond a transaction, and each statement could be judged. */
        FITS,
        /** Leases, or the pool's init SQL, have kept session state beyond a transaction. */
        UNFIT,
        /** There was no lease, or a statement that could not be judged. */
        UNKNOWN
    }

    /** State that leases with one call site have left by one statement. Immutable. Made by flexpool alone; minor releases add methods. */
    interface LeftState {
        /** {@return the kind of state, for example {@code setting}} */
        String kind();

        /** {@return the name of what was left, for example that of a variable; null if it has none} */
        @Nullable
        String name();

        /** {@return the statement without literals, or the method of JDBC} */
        String statement();

        /** {@return the application's code that executed it, as call sites are named; null if it is not known} */
        @Nullable
        String callSite();

        /** {@return how many leases have left it} */
        long leases();
    }
}
