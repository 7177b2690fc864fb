// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A session as the server lists it.
 *
 * @param id the session's number
 * @param user the session's user
 * @param host the client's address with its port
 * @param database the current database; null for none
 * @param command the server's name of the session's activity
 * @param inState the time since the session's state changed
 * @param state the server's name of the statement's stage; null or empty without a running statement
 * @param statement the running statement; null without one
 * @param transactionState InnoDB's state of the transaction; null without a transaction, or if hidden
 * @param inTransaction the age of the transaction; null without a transaction, or if hidden
 * @param rowBlockers the sessions that hold the row locks for which this session waits; unordered
 */
record ProcessRow(
        long id,
        String user,
        String host,
        @Nullable String database,
        String command,
        @Nullable Duration inState,
        @Nullable String state,
        @Nullable String statement,
        @Nullable String transactionState,
        @Nullable Duration inTransaction,
        Set<Long> rowBlockers) {
    private static final Pattern PORT = Pattern.compile(":\\d+$");

    /** The users of the server's internal threads. These threads, and replicas, are no clients. */
    private static final Set<String> OWN_USERS = Set.of("system user", "event_scheduler");

    private static final Set<String> OWN_COMMANDS = Set.of("Daemon", "Binlog Dump", "Binlog Dump GTID");

    private static final Set<String> TO_CLIENT = Set.of("sending to client", "writing to net", "reading from net");

    /** Keeps {@code rowBlockers} uncopied: the caller adds blockers while it reads further rows. */
    ProcessRow {}

    /** Whether the session belongs to a client. */
    boolean client() {
        return !OWN_USERS.contains(user) && !OWN_COMMANDS.contains(command);
    }

    /** {@return the user and the host, without the port, which differs for each session} */
    String account() {
        return user + "@" + address();
    }

    /** Whether the session waits for a lock that the server lists as a metadata lock. */
    boolean waitsForMetadata() {
        String where = where();
        return where.endsWith("metadata lock") || where.equals("user lock");
    }

    /**
     * The session for the snapshot.
     *
     * @param asked whether flexpool queried this session
     * @param transactionsVisible whether all transactions are visible, so that null means no transaction
     * @param locks the metadata locks, as far as they are visible
     */
    ServerSession session(boolean asked, boolean transactionsVisible, MetadataLocks locks) {
        Collection<Long> blockers = new TreeSet<>(rowBlockers);
        blockers.addAll(locks.blockersOf(id));
        List<Long> blockedBy = new ArrayList<>(blockers);
        Wait waitsFor = waitsFor(transactionsVisible);
        return ServerSession.of(id)
                .asked(asked)
                .state(does(), inState)
                .waitsFor(waitsFor, waitsFor == Wait.NONE ? null : waitEvent())
                .sessionLock(where().equals("user lock"))
                .inTransaction(inTransaction)
                .blockedBy(blockedBy)
                .schemaChange(locks.changesSchema(id))
                .client(null, address())
                .login(user, database)
                .statement(statement == null ? locks.statementOf(id) : statement)
                .build();
    }

    private State does() {
        if (!command.equals("Sleep")) {
            return State.RUNNING;
        }
        return transactionState == null ? State.IDLE : State.IDLE_IN_TRANSACTION;
    }

    /**
     * The kind of the session's wait. MySQL reports "updating" also for a row wait, so only a visible transaction shows
     * that the statement runs.
     */
    private Wait waitsFor(boolean transactionsVisible) {
        String where = where();
        if (waitsForRow() || where.equals("user lock") || (where.startsWith("waiting for") && where.contains("lock"))) {
            return Wait.LOCK;
        }
        if (command.equals("Sleep") || TO_CLIENT.contains(where)) {
            return Wait.CLIENT;
        }
        boolean works = transactionsVisible && !where.equals("user sleep") && !where.startsWith("waiting for");
        return works ? Wait.NONE : Wait.OTHER;
    }

    private boolean waitsForRow() {
        return "LOCK WAIT".equals(transactionState);
    }

    private @Nullable String waitEvent() {
        if (waitsForRow()) {
            return "InnoDB: " + transactionState;
        }
        return state == null || state.isBlank() ? command : state;
    }

    private String where() {
        return state == null ? "" : state.toLowerCase(Locale.ROOT);
    }

    /** {@return the host without the port} */
    String address() {
        return PORT.matcher(host).replaceFirst("");
    }
}
