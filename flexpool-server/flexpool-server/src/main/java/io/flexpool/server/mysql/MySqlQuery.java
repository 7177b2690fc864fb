// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.ServerSnapshot.Limit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Queries the server once: sessions, transactions, row locks and limits, and in a second statement metadata locks if a
 * session waits for one. If the server refuses for a missing right, flexpool queries with less detail.
 */
final class MySqlQuery {
    /** The session id that InnoDB reports for a prepared transaction whose client has disconnected. */
    private static final long PREPARED_TRANSACTION = 0;

    private final Connection own;
    private final Set<Long> asked;
    private final Map<Long, ProcessRow> processes = new LinkedHashMap<>();
    private final List<String> notVisible = new ArrayList<>();
    private int used = ServerSnapshot.UNKNOWN;
    private int usable = ServerSnapshot.UNKNOWN;
    private int userLimit;
    private boolean recorded;
    private String user = "";
    private String account = "";

    MySqlQuery(Connection own, Set<Long> asked) {
        this.own = own;
        this.asked = asked;
    }

    /**
     * The server's time limit ends first, so that its error still arrives; if nothing arrives, the socket times out and
     * the connection is broken.
     */
    ServerSnapshot within(Duration deadline) throws SQLException {
        int socketMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, deadline.toMillis()));
        int before = own.getNetworkTimeout();
        own.setNetworkTimeout(Runnable::run, socketMillis);
        try (Statement statement = own.createStatement()) {
            return run(statement, Dialect.of(own), Math.max(1, socketMillis / 4 * 3));
        } finally {
            if (!own.isClosed()) {
                own.setNetworkTimeout(Runnable::run, before);
            }
        }
    }

    private ServerSnapshot run(Statement statement, Dialect dialect, int millis) throws SQLException {
        Detail detail = readProcesses(statement, dialect, millis);
        MetadataLocks locks = MetadataLocks.NONE;
        if (processes.values().stream().anyMatch(ProcessRow::waitsForMetadata)) {
            locks = readMetadataLocks(statement, dialect, millis);
        }
        return snapshot(dialect, detail, locks);
    }

    private Detail readProcesses(Statement statement, Dialect dialect, int millis) throws SQLException {
        SQLException refused = null;
        for (Detail detail : Detail.values()) {
            try {
                // Not by executeQuery: MySQL's driver presumes that MariaDB's SET STATEMENT has no result.
                statement.execute(dialect.processes(detail, millis));
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        readProcess(rows);
                    }
                }
                return detail;
            } catch (SQLException thrown) {
                if (!Detail.refused(thrown)) {
                    throw thrown;
                }
                refused = thrown;
            }
        }
        throw refused == null ? new SQLException("nothing was queried") : refused;
    }

    private void readProcess(ResultSet row) throws SQLException {
        if (processes.isEmpty()) {
            used = row.getInt("used");
            usable = row.getInt("usable");
            userLimit = row.getInt("user_limit");
            recorded = row.getBoolean("recorded");
            String login = row.getString("login");
            user = login.substring(0, login.lastIndexOf('@'));
            account = row.getString("account");
        }
        long id = row.getLong("id");
        ProcessRow process = processes.get(id);
        if (process == null) {
            process = new ProcessRow(
                    id,
                    row.getString("user"),
                    row.getString("host"),
                    row.getString("db"),
                    row.getString("command"),
                    millis(row, "in_state"),
                    row.getString("state"),
                    row.getString("info"),
                    row.getString("trx_state"),
                    millis(row, "in_transaction"),
                    new TreeSet<>());
            processes.put(id, process);
        }
        long blocker = row.getLong("blocker");
        if (!row.wasNull()) {
            process.rowBlockers().add(blocker);
        }
    }

    /** A duration of at least 0: the times of the server's list may be a second ahead of its clock. */
    private static @Nullable Duration millis(ResultSet row, String column) throws SQLException {
        double millis = row.getDouble(column);
        return row.wasNull() ? null : Duration.ofMillis(Math.max(0, (long) millis));
    }

    private MetadataLocks readMetadataLocks(Statement statement, Dialect dialect, int millis) throws SQLException {
        String hidden = "the holders of metadata locks for which sessions wait: ";
        if (!recorded) {
            notVisible.add(hidden + "performance_schema is off");
            return MetadataLocks.NONE;
        }
        List<MetadataLocks.Entry> locks = new ArrayList<>();
        try {
            statement.execute(dialect.metadataLocks(millis));
            try (ResultSet rows = statement.getResultSet()) {
                while (rows.next()) {
                    locks.add(new MetadataLocks.Entry(
                            rows.getString("object_type"),
                            rows.getString("object_schema") + "." + rows.getString("object_name"),
                            rows.getString("lock_type"),
                            rows.getString("lock_status").equals("GRANTED"),
                            rows.getLong("processlist_id"),
                            rows.getString("last_statement")));
                }
            }
            if (locks.isEmpty()) {
                notVisible.add(hidden + "the instrument wait/lock/metadata/sql/mdl is off");
            }
        } catch (SQLException thrown) {
            if (!Detail.refused(thrown)) {
                throw thrown;
            }
            notVisible.add(hidden + "grant select on performance_schema.* to " + account);
        }
        return new MetadataLocks(locks);
    }

    private ServerSnapshot snapshot(Dialect dialect, Detail detail, MetadataLocks locks) {
        if (detail == Detail.TRANSACTIONS) {
            notVisible.add(
                    "which session waits for which row lock: grant select on performance_schema.data_lock_waits to "
                            + account);
        } else if (detail == Detail.PROCESSES) {
            notVisible.add(
                    "other users' sessions, open transactions and row locks: grant process on *.* to " + account);
        }
        List<ServerSession> sessions = new ArrayList<>();
        Set<Long> unknown = new HashSet<>(asked);
        boolean behindPrepared = false;
        for (ProcessRow process : processes.values()) {
            sessions.add(process.session(asked.contains(process.id()), detail.transactions(), locks));
            unknown.remove(process.id());
            behindPrepared |= process.rowBlockers().contains(PREPARED_TRANSACTION);
        }
        if (behindPrepared) {
            sessions.add(ServerSession.of(PREPARED_TRANSACTION)
                    .client("a prepared transaction", null)
                    .build());
            notVisible.add("the prepared transaction that blocks (it has no session; see xa recover)");
        }
        return ServerSnapshot.of(dialect.product())
                .sessions(sessions)
                .unknownSessions(unknown)
                .sessionsByApplication(byAccount())
                .slots(used, usable)
                // The server reserves one session beyond the limit for administrators, which does not reduce the usable
                // sessions.
                .reserved(0)
                .application(application())
                .limit(userLimit > 0 && userLimit < usable ? limit() : null)
                .notVisible(notVisible)
                .build();
    }

    /** The user's limit. All sessions of the user are visible, so the count is exact. */
    private Limit limit() {
        long ofUser = clients().filter(process -> process.user().equals(user)).count();
        return new Limit(Limit.Kind.ROLE, user, userLimit, (int) ofUser);
    }

    /**
     * These servers have no application names, so the user stands for the application. All sessions of the user are
     * visible.
     */
    private @Nullable Application application() {
        List<String> addresses = clients()
                .filter(process -> process.user().equals(user))
                .map(ProcessRow::address)
                .toList();
        return addresses.isEmpty() ? null : new Application(user, addresses.size(), new HashSet<>(addresses).size());
    }

    private Map<String, Integer> byAccount() {
        Map<String, Integer> counts = new HashMap<>();
        clients().forEach(process -> counts.merge(process.account(), 1, Integer::sum));
        Map<String, Integer> sorted = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    private Stream<ProcessRow> clients() {
        return processes.values().stream().filter(ProcessRow::client);
    }
}
