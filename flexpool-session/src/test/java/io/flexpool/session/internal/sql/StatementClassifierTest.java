// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.session.internal.sql.Labels.Labelled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The classifiers against statements that were labelled before them. */
class StatementClassifierTest {
    private final List<String> differences = new ArrayList<>();
    private int statements;
    private int dirty;
    private int found;
    private int clean;
    private int falseAlarms;
    private int unknown;
    private int needlesslyUnknown;

    /** Of a statement: what it sets and leaves after its transaction. */
    private static Set<String> state(String words) {
        Set<String> state = new HashSet<>();
        for (String step : words.split(" ; ", -1)) {
            if (step.startsWith("+") && !step.endsWith("~")) {
                state.add(step);
            }
        }
        return state;
    }

    private static boolean isUnknown(String words) {
        return List.of(words.split(" ; ", -1)).contains(Labels.UNKNOWN);
    }

    private void judge(String file, StatementClassifier classifier, boolean mysql) throws IOException {
        for (Labelled labelled : Labels.of(file)) {
            String actual = Labels.words(classifier.classify(labelled.sql()), mysql);
            Set<String> expected = state(labelled.expected());
            statements++;
            if (isUnknown(actual)) {
                unknown++;
                needlesslyUnknown += isUnknown(labelled.expected()) ? 0 : 1;
            }
            if (!expected.isEmpty()) {
                dirty++;
                found += state(actual).containsAll(expected) ? 1 : 0;
            } else if (!isUnknown(labelled.expected())) {
                clean++;
                falseAlarms += state(actual).isEmpty() ? 0 : 1;
            }
            if (!actual.equals(labelled.expected())) {
                differences.add(file + ", " + labelled.label() + ": " + labelled.sql() + "\n  expected "
                        + labelled.expected() + "\n  actual   " + actual);
            }
        }
    }

    @Test
    void thereAreEnoughLabels() throws IOException {
        assertThat(Labels.of("postgresql.statements")).hasSizeGreaterThanOrEqualTo(200);
        assertThat(Labels.of("mysql.statements")).hasSizeGreaterThanOrEqualTo(150);
    }

    @Test
    void theClassifiersAgreeWithTheLabels() throws IOException {
        judge("postgresql.statements", StatementClassifier.postgresql(), false);
        judge("mysql.statements", StatementClassifier.mysql(), true);
        theyAgree(400);
    }

    /** Statements as programs write them, which the classifiers were not made for. */
    @Test
    void theClassifiersAgreeWithFreshStatements() throws IOException {
        judge("fresh-postgresql.statements", StatementClassifier.postgresql(), false);
        judge("fresh-mysql.statements", StatementClassifier.mysql(), true);
        theyAgree(120);
    }

    private void theyAgree(int least) {
        String figures = String.format(
                Locale.ROOT,
                "%d labelled statements: recall %d of %d, false alarms %d of %d, unknown %d (%d needlessly), %d differ",
                statements,
                found,
                dirty,
                falseAlarms,
                clean,
                unknown,
                needlesslyUnknown,
                differences.size());
        System.out.println(figures);
        differences.forEach(System.out::println);
        assertThat(statements).isGreaterThanOrEqualTo(least);
        assertThat((double) found / dirty).as(figures).isGreaterThanOrEqualTo(0.99);
        assertThat((double) falseAlarms / clean).as(figures).isLessThanOrEqualTo(0.01);
        assertThat((double) unknown / statements).as(figures).isLessThanOrEqualTo(0.03);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.a', '', false)",
                "SELECT set_config('app.a', null, false)",
                "SELECT set_config('role', 'none', false)",
                "SET app.a = ''",
                "SET app.a TO ''"
            })
    void aVariableOrARoleThatIsClearedIsNotLeft(String sql) {
        assertThat(StatementClassifier.postgresql().classify(sql).steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.class, effect -> assertThat(effect.sets()).isFalse());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT set_config('app.a', 'x', false)",
                "SELECT set_config('app.a', ?, false)",
                "SELECT set_config('app.a', nullif('', ''), false)",
                "SELECT set_config('app.a', \"\", false)",
                "SELECT set_config('search_path', '', false)",
                "SET search_path = ''",
                "SELECT DISTINCT ON (oid) set_config('app.a', 'x', false) FROM pg_class",
                "SELECT DISTINCT ON ((oid), (relname)) set_config('app.a', 'x', false) FROM pg_class",
                "EXPLAIN (ANALYZE 'on') SELECT set_config('app.a', 'x', false)",
                "CREATE DOMAIN pg_temp.d AS int",
                "CREATE TYPE pg_temp.t AS (a int)"
            })
    void whatIsSetOrCreatedIsFound(String sql) {
        assertThat(StatementClassifier.postgresql().classify(sql).steps())
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.class, effect -> assertThat(effect.sets()).isTrue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXPLAIN (ANALYZE 0) SELECT set_config('app.a', 'x', false)",
                "EXPLAIN (ANALYZE 'off', VERBOSE) SELECT set_config('app.a', 'x', false)",
                "SELECT a IS DISTINCT FROM b, (c) set_config FROM t",
                "SELECT U&\"d\\0061ta\" FROM t",
                "CREATE DOMAIN d AS int"
            })
    void whatIsOnlyPlannedOrNamedIsHarmless(String sql) {
        assertThat(StatementClassifier.postgresql().classify(sql)).isEqualTo(Verdict.HARMLESS);
    }

    @Test
    void aFunctionWhoseNameIsWrittenWithEscapesIsUnknown() {
        assertThat(StatementClassifier.postgresql().classify("SELECT U&\"set\\005fconfig\"('app.a', 'x', false)"))
                .isEqualTo(new Verdict(List.of(), true, false));
    }

    /** The value that another transaction took; the statements of one text are one transaction. */
    @Test
    void aStatementThatNeedsAnEarlierOneOfItsSessionIsFound() {
        StatementClassifier postgresql = StatementClassifier.postgresql();
        for (String sql : List.of(
                "SELECT lastval()",
                "SELECT currval('s')",
                "INSERT INTO line(order_id) VALUES (pg_catalog.currval('s'))",
                "SELECT currval('s'); SELECT 1")) {
            assertThat(postgresql.classify(sql).readsSequence()).as(sql).isTrue();
            assertThat(postgresql.classify(sql).harmless()).as(sql).isFalse();
        }
        for (String sql : List.of(
                "SELECT nextval('s')",
                "SELECT nextval('s'), lastval()",
                "INSERT INTO t DEFAULT VALUES; SELECT lastval()",
                "SELECT lastval FROM t",
                "SELECT app.lastval()",
                "SELECT 'lastval()'",
                "CREATE TABLE t (id int DEFAULT currval('s'))")) {
            assertThat(postgresql.classify(sql)).as(sql).isEqualTo(Verdict.HARMLESS);
        }
    }
}
