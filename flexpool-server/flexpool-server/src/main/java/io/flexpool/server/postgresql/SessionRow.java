// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The current row of {@code pg_stat_activity}. Most columns are null if the session is hidden from the pool's role. */
final class SessionRow {
    private final ResultSet row;
    private final long id;
    private final @Nullable String serverState;
    private final List<Long> blockers;

    SessionRow(ResultSet row) throws SQLException {
        this.row = row;
        this.id = row.getLong("pid");
        this.serverState = row.getString("state");
        this.blockers = blockers(row.getArray("blockers"));
    }

    long id() {
        return id;
    }

    /** The distinct sessions that block this session, including those before it in a lock's queue. */
    List<Long> blockers() {
        return blockers;
    }

    /** Whether the server does not record the session's activity. */
    boolean untracked() {
        return "disabled".equals(serverState);
    }

    /** Whether the session is hidden, because it belongs to another role. */
    boolean hidden() {
        return serverState == null;
    }

    ServerSession session(boolean asked) throws SQLException {
        String type = row.getString("wait_event_type");
        // Also visible for hidden sessions, unlike the wait event.
        boolean awaitsLock = row.getBoolean("awaits");
        String event = row.getString("wait_event");
        String query = row.getString("query");
        return ServerSession.of(id)
                .asked(asked)
                .state(state(serverState), age("in_state"))
                .waitsFor(awaitsLock ? Wait.LOCK : wait(type), type == null ? null : type + ": " + event)
                .sessionLock("advisory".equals(event) && (query == null || !query.contains("advisory_xact_lock")))
                .inTransaction(age("in_transaction"))
                .connected(age("connected"))
                .blockedBy(blockers)
                .schemaChange(row.getBoolean("changes"))
                .client(row.getString("application_name"), row.getString("address"))
                .login(row.getString("usename"), row.getString("datname"))
                .statement(query)
                .build();
    }

    private static List<Long> blockers(@Nullable Array array) throws SQLException {
        return array == null
                ? List.of()
                : Arrays.stream((Object[]) array.getArray())
                        .map(process -> ((Number) process).longValue())
                        .distinct()
                        .toList();
    }

    private static State state(@Nullable String word) {
        return switch (word == null ? "" : word) {
            case "active", "fastpath function call" -> State.RUNNING;
            case "idle" -> State.IDLE;
            case "idle in transaction", "idle in transaction (aborted)" -> State.IDLE_IN_TRANSACTION;
            default -> State.UNKNOWN;
        };
    }

    private static Wait wait(@Nullable String type) {
        return switch (type == null ? "" : type) {
            case "" -> Wait.NONE;
            case "Lock" -> Wait.LOCK;
            case "IO" -> Wait.IO;
            case "Client" -> Wait.CLIENT;
            default -> Wait.OTHER;
        };
    }

    /** A duration of at least 0: PostgreSQL reads two clocks here, which may differ slightly. */
    private @Nullable Duration age(String column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Duration.ofMillis(Math.max(0, millis));
    }
}
