// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.StatementClassifier;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The state from statements alone; that the server agrees is shown by another test. */
class SessionStateTest {
    private static final StatementClassifier POSTGRESQL = StatementClassifier.postgresql();

    private final SessionState state = new SessionState();

    private void inTransaction(String... statements) {
        for (String sql : statements) {
            state.ran(POSTGRESQL.classify(sql), false);
        }
    }

    private void alone(String... statements) {
        for (String sql : statements) {
            state.ran(POSTGRESQL.classify(sql), true);
        }
    }

    private List<String> left() {
        return left(state);
    }

    private static List<String> left(SessionState of) {
        return of.left().stream()
                .map(effect -> effect.name() == null ? effect.kind().name() : effect.kind() + " " + effect.name())
                .collect(Collectors.toList());
    }

    @Test
    void aSettingCountsWhenItIsCommitted() {
        inTransaction("SET app.a = '1'");
        assertThat(left()).as("the pool would roll it back").isEmpty();
        state.committed();
        assertThat(left()).containsExactly("SETTING app.a");
        inTransaction("RESET app.a");
        state.rolledBack();
        assertThat(left()).containsExactly("SETTING app.a");
    }

    @Test
    void aSettingOfTheTransactionIsNotLeft() {
        inTransaction("SET LOCAL app.a = '1'", "SELECT set_config('app.b', '2', true)");
        state.committed();
        assertThat(left()).isEmpty();
    }

    @Test
    void aTransactionOfSqlIsNotRolledBackByThePool() {
        alone("BEGIN", "SET ROLE a");
        assertThat(left()).containsExactly("ROLE");
        alone("ROLLBACK");
        assertThat(left()).isEmpty();
    }

    /** The server keeps silent: the commit of a transaction in which a statement failed is a rollback. */
    @Test
    void aCommitAfterAFailureBringsBackWhatWasReset() {
        inTransaction("SET ROLE a");
        state.committed();
        inTransaction("RESET ROLE", "SET app.a = '1'");
        state.transactionFailed();
        state.committed();
        assertThat(left()).containsExactly("ROLE");
        alone("BEGIN", "RESET ROLE");
        state.transactionFailed();
        alone("COMMIT");
        assertThat(left()).containsExactly("ROLE");
    }

    /** Whoever ends it, and how, is the next borrower's decision. */
    @Test
    void aTransactionOfSqlThatStaysOpenLeavesAllThatItsEndChanges() {
        alone("SET ROLE a", "BEGIN", "RESET ROLE", "SET LOCAL app.a = '1'");
        assertThat(left()).containsExactly("ROLE", "SETTING app.a");
        alone("COMMIT");
        assertThat(left()).isEmpty();
    }

    @Test
    void aTransactionThatThePoolLeavesOpenLeavesWhatItSet() {
        inTransaction("SET ROLE a", "SET LOCAL app.a = '1'");
        assertThat(state.left(true)).isEmpty();
        assertThat(state.left(false)).hasSize(2);
        state.transactionFailed();
        assertThat(state.left(false)).as("it can only be rolled back").isEmpty();
    }

    @Test
    void setAutoCommitCommits() {
        inTransaction("SET ROLE a");
        alone("SELECT 1", "LISTEN c");
        assertThat(left()).containsExactly("ROLE", "LISTEN c");
    }

    @Test
    void aLockIsReleasedAsOftenAsItWasTaken() {
        inTransaction("SELECT pg_advisory_lock(?)", "SELECT pg_advisory_lock(?)", "SELECT pg_advisory_unlock(?)");
        state.rolledBack();
        assertThat(left()).containsExactly("ADVISORY_LOCK ?");
        alone("SELECT pg_advisory_unlock(?)");
        assertThat(left()).isEmpty();
    }

    @Test
    void aFailedStatementAbortsItsTransaction() {
        inTransaction("SET ROLE a", "SELECT 1/0");
        state.failed();
        inTransaction("LISTEN c");
        state.failed();
        state.committed();
        assertThat(left()).isEmpty();
        assertThat(state.unknown()).isFalse();
    }

    /** pgjdbc with autosave rolls back to a savepoint of its own. */
    @Test
    void withAutosaveAFailedStatementAbortsNothing() {
        SessionState kept = new SessionState(false);
        kept.ran(POSTGRESQL.classify("SET ROLE a"), false);
        kept.ran(POSTGRESQL.classify("SET app.a = 'x'"), false);
        kept.failed();
        kept.committed();
        assertThat(left(kept)).containsExactly("ROLE");
    }

    @Test
    void aSavepointOfJdbcBringsItsStateBack() {
        Object savepoint = new Object();
        inTransaction("SET ROLE a");
        state.savepoint(savepoint);
        inTransaction("LISTEN c", "PREPARE p AS SELECT 1");
        state.rolledBackTo(savepoint);
        inTransaction("SET app.a = '1'");
        state.rolledBackTo(savepoint);
        state.committed();
        assertThat(left()).containsExactly("ROLE", "PREPARED p");
    }

    @Test
    void ofAScriptThatFailedAllMayBeLeft() {
        alone("BEGIN; SET ROLE a; COMMIT; SELECT 1/0");
        state.failed();
        assertThat(left()).containsExactly("ROLE");
        assertThat(state.unknown()).isTrue();
    }

    @Test
    void anUnknownStatementIsRemembered() {
        alone("SELECT 1");
        assertThat(state.unknown()).isFalse();
        alone("DO $$ BEGIN END $$");
        assertThat(state.unknown()).isTrue();
        assertThat(left()).isEmpty();
    }

    @Test
    void aLeaseWithManyNamesIsCutAtABound() {
        for (int i = 0; i < 10 * SessionState.MAX_ENTRIES; i++) {
            alone("SELECT pg_advisory_lock(" + i + ")", "PREPARE p" + i + " AS SELECT 1");
        }
        assertThat(left())
                .hasSize(SessionState.MAX_ENTRIES + 2)
                .contains("ADVISORY_LOCK", "PREPARED", "ADVISORY_LOCK 0", "PREPARED p0");
        alone("SELECT pg_advisory_unlock_all()", "DEALLOCATE ALL");
        assertThat(left()).isEmpty();
    }

    @Test
    void inMySqlNoRollbackUndoesAny() {
        StatementClassifier mysql = StatementClassifier.mysql();
        SessionState kept = new SessionState(false);
        kept.ran(mysql.classify("SET @x = 1, sql_mode = ''"), false);
        kept.ran(mysql.classify("LOCK TABLES t READ"), false);
        kept.rolledBack();
        assertThat(left(kept)).containsExactly("USER_VARIABLE x", "SETTING sql_mode", "TABLE_LOCK tables");
        kept.ran(mysql.classify("START TRANSACTION"), false);
        assertThat(left(kept)).containsExactly("USER_VARIABLE x", "SETTING sql_mode");
    }

    @Test
    void whatIsSetOutlivesItsTransactionOnceThatIsCommitted() {
        inTransaction("SET app.a = '1'", "SELECT pg_advisory_lock(1)");
        assertThat(state.outlives()).as("while it is open").isEmpty();
        state.rolledBack();
        assertThat(state.outlives()).extracting(Effect::kind).containsExactly(Effect.Kind.ADVISORY_LOCK);
        alone("SET app.a = '1'", "RESET app.a", "SELECT pg_advisory_unlock(1)");
        assertThat(state.outlives()).isEmpty();
        alone("BEGIN", "SET ROLE a");
        assertThat(state.inTransaction()).isTrue();
        assertThat(state.outlives()).isEmpty();
        alone("COMMIT");
        assertThat(state.inTransaction()).isFalse();
        assertThat(state.outlives()).extracting(Effect::kind).containsExactly(Effect.Kind.ROLE);
    }
}
