// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPart.SessionCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A part's check of connections. Its exceptions end here: they do not reach the application. Thread-safe. */
final class GuardedCheck {
    private final String who;
    private final ReturnCheck check;
    /** {@link #check} if it needs sessions, otherwise null. */
    private final @Nullable SessionCheck session;

    private final ListenerGuard guard;

    GuardedCheck(String who, ReturnCheck check, ListenerGuard guard) {
        this.who = who;
        this.check = check;
        this.session = check instanceof SessionCheck ofSession ? ofSession : null;
        this.guard = guard;
    }

    boolean needsSessions() {
        return session != null;
    }

    boolean failed(Connection connection, SQLException thrown) {
        return guard.ask(who, () -> check.failed(connection, thrown), false);
    }

    /** Whether the connection may go back. */
    boolean check(Connection connection) {
        return guard.ask(who, () -> check.check(connection), true);
    }

    boolean observes(String sql) {
        return shows(null, sql, "");
    }

    boolean executes(Connection connection, String sql, String requestClass) {
        return shows(connection, sql, requestClass);
    }

    /** Called for each statement, so without a lambda, which may allocate. A null connection means observes(). */
    private boolean shows(@Nullable Connection connection, String sql, String requestClass) {
        if (session == null) {
            return false;
        }
        try {
            return connection == null ? session.observes(sql) : session.executes(connection, sql, requestClass);
        } catch (Throwable thrown) {
            guard.failed(who, thrown);
            return false;
        }
    }

    boolean changes(Connection connection, SessionProperty property) {
        return session != null && guard.ask(who, () -> session.changes(connection, property), false);
    }

    void report(Consumer<SessionCheck> report) {
        if (session != null) {
            guard.guard(who, () -> report.accept(session));
        }
    }
}
