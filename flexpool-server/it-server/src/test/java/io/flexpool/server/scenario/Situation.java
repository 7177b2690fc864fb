// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import java.sql.SQLException;
import java.util.Locale;

/** What is staged, and what an explanation of it has to say. */
enum Situation {
    /** A payment of the application waits with a row locked. */
    ROW_LOCK_OF_OURS("BLOCKED_BY_HOLDER") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().charges();
            long session = stage.awaitSession(IN_TRANSACTION);
            stage.staff().order(Stage.CONNECTIONS - 1);
            stage.awaitSessions(Stage.OURS + WAITING, Stage.CONNECTIONS - 1);
            return Culprit.of(session, "Staff.charge(");
        }
    },
    /** The same, by another application. */
    ROW_LOCK_OF_ANOTHER("BLOCKED_BY_OTHER") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            Foreigner billing = stage.foreigner("billing");
            billing.begin();
            billing.run(Staff.UPDATE);
            stage.staff().order(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + WAITING, Stage.CONNECTIONS);
            return Culprit.of(billing.id(), "billing");
        }
    },
    /** A report reads a table, a migration wants to change it, and the application waits behind the migration. */
    ALTER_TABLE("BLOCKED_BY_DDL") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            Foreigner report = stage.foreigner("report");
            report.begin();
            report.run("select count(*) from account");
            Foreigner migration = stage.foreigner("migration");
            migration.start("alter table account add column more int");
            stage.awaitSessions("application_name = 'migration'" + WAITING, 1);
            stage.staff().order(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + WAITING, Stage.CONNECTIONS);
            return Culprit.of(migration.id(), "migration").behind(report.id());
        }
    },
    /** Queries that keep the server's processors busy. */
    PROCESSOR("SERVER_BUSY") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().calculate(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + " and state = 'active'", Stage.CONNECTIONS);
            return Culprit.NONE;
        }
    },
    /** Statements that sleep: the database is slow, and no one is to blame. */
    SLEEP("SLOW_DATABASE") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().sleep(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + " and wait_event = 'PgSleep'", Stage.CONNECTIONS);
            return Culprit.NONE;
        }
    },
    /** A pool that has failed before has closed what it did not need; then another application takes all slots. */
    NO_SLOTS("SERVER_FULL") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().sleep(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + " and wait_event = 'PgSleep'", Stage.CONNECTIONS);
            stage.failedRequest();
            stage.startAgainWithoutConnections();
            stage.foreigner("reporting").takeAllSlots();
            return Culprit.of("reporting");
        }
    },
    /** Two transfers waited for each other. One was the server's victim; the other goes on, and others wait for it. */
    DEADLOCK_VICTIM("BLOCKED_BY_HOLDER") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().transfer();
            stage.awaitSession("state = 'idle in transaction (aborted)'");
            long session = stage.awaitSession(IN_TRANSACTION);
            stage.staff().order(Stage.CONNECTIONS - 2);
            stage.awaitSessions(Stage.OURS + WAITING, Stage.CONNECTIONS - 2);
            return Culprit.of(session, "Staff.transferBetween(");
        }
    },
    /** A job of the application has an advisory lock and does something else. */
    ADVISORY_LOCK("BLOCKED_BY_HOLDER") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().runsAlone();
            long session = stage.awaitSession("state = 'idle' and query like '%advisory%'");
            stage.staff().runToo(Stage.CONNECTIONS - 1);
            stage.awaitSessions(Stage.OURS + WAITING, Stage.CONNECTIONS - 1);
            return Culprit.of(session, "Staff.runAlone(");
        }
    },
    /** Transactions that were opened and not ended, by threads that do something else. */
    IDLE_IN_TRANSACTION("HELD_IDLE") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().forget(Stage.CONNECTIONS);
            stage.awaitSessions(Stage.OURS + " and " + IN_TRANSACTION, Stage.CONNECTIONS);
            return Culprit.of("idle in transaction");
        }
    },
    /** Too many requests for quick statements: nothing is wrong in the server. */
    DEMAND("DEMAND") {
        @Override
        Culprit stage(Stage stage) throws SQLException, InterruptedException {
            stage.staff().crowd(15 * Stage.CONNECTIONS);
            stage.awaitLeases(50);
            return Culprit.NONE;
        }
    };

    private static final String IN_TRANSACTION = "state = 'idle in transaction'";
    private static final String WAITING = " and wait_event_type = 'Lock'";

    private final String cause;

    Situation(String cause) {
        this.cause = cause;
    }

    /**
     * Stages it, and waits until the server shows that it is so.
     *
     * @return who or what an explanation has to name
     */
    abstract Culprit stage(Stage stage) throws SQLException, InterruptedException;

    /** The name of the cause that an explanation must have. */
    String cause() {
        return cause;
    }

    /** The name in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
