// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.StatementClassifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The text of the reset; that it resets all is shown on a server by another test. */
class ResetSqlTest {
    private static List<Effect> left(StatementClassifier classifier, String sql) {
        SessionState state = new SessionState();
        state.ran(classifier.classify(sql), true);
        return state.left();
    }

    private static @Nullable String reset(String sql) {
        return ResetSql.postgresql(left(StatementClassifier.postgresql(), sql));
    }

    @Test
    void nothingIsResetWhereNothingIsLeft() {
        assertThat(reset("SELECT 1")).isEmpty();
        assertThat(reset("SET ROLE a; RESET ROLE")).isEmpty();
    }

    @Test
    void eachKindIsResetByItself() {
        assertThat(reset("SET ROLE a")).isEqualTo("RESET ROLE");
        assertThat(reset("SET search_path = a")).isEqualTo("RESET search_path");
        assertThat(reset("SET TIME ZONE 'UTC'")).isEqualTo("RESET timezone");
        assertThat(reset("SET statement_timeout = 1")).isEqualTo("RESET \"statement_timeout\"");
        assertThat(reset("SELECT set_config('app.tenant', ?, false)")).isEqualTo("RESET \"app\".\"tenant\"");
        assertThat(reset("SELECT pg_advisory_lock(1), pg_advisory_lock(2)"))
                .isEqualTo("SELECT pg_advisory_unlock_all()");
        assertThat(reset("LISTEN a; LISTEN b")).isEqualTo("UNLISTEN *");
        assertThat(reset("CREATE TEMP TABLE t (id int)")).isEqualTo("DISCARD TEMP");
        assertThat(reset("PREPARE \"a\"\"b\" AS SELECT 1")).isEqualTo("DEALLOCATE \"a\"\"b\"");
        assertThat(reset("DECLARE c CURSOR WITH HOLD FOR SELECT 1")).isEqualTo("CLOSE \"c\"");
    }

    /** A role may not be allowed to do the rest, and a cursor may use a temporary table. */
    @Test
    void rightsComeFirstAndTemporaryTablesLast() {
        assertThat(reset("CREATE TEMP TABLE t (id int); DECLARE c CURSOR WITH HOLD FOR SELECT * FROM t; SET ROLE a"))
                .isEqualTo("RESET ROLE; CLOSE \"c\"; DISCARD TEMP");
    }

    @Test
    void aConnectionIsClosedIfANameIsMissing() {
        assertThat(reset("SELECT set_config(?, ?, false)")).isNull();
        assertThat(reset("LOAD 'auto_explain'")).isNull();
    }

    @Test
    void theDriverResetsMySqlButNotWhatItHasSetItself() {
        StatementClassifier mysql = StatementClassifier.mysql();
        assertThat(ResetSql.byDriver(left(mysql, "SET @x = 1; LOCK TABLES t READ; USE other; SET ROLE a")))
                .isTrue();
        for (String own : List.of(
                "SET NAMES latin1",
                "SET sql_mode = ''",
                "SET autocommit = 0",
                "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET character_set_results = NULL",
                "LOCK INSTANCE FOR BACKUP",
                "BACKUP STAGE START")) {
            assertThat(ResetSql.byDriver(left(mysql, "SET @x = 1; " + own)))
                    .as(own)
                    .isFalse();
        }
        assertThat(ResetSql.postgresql(left(mysql, "SET @x = 1"))).isNull();
    }
}
