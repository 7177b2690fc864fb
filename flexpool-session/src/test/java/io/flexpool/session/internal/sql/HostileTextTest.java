// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Texts that are meant to make the classifiers slow, or fail. */
class HostileTextTest {
    private static final int LENGTH = 100_000;

    private static final List<Function<String, StatementReader>> READERS =
            List.of(PostgresReader::new, MySqlReader::new);

    private static final List<String> FRAGMENTS = List.of(
            "'",
            "\"",
            "`",
            "$$",
            "$a$",
            "$",
            "/*",
            "*/",
            "/*!",
            "/*M!50000 ",
            "--",
            "-- ",
            "#",
            "\n",
            " ",
            "(",
            ")",
            ",",
            ";",
            ".",
            "?",
            "{",
            "}",
            "@",
            "@@",
            "@x",
            ":=",
            "=",
            "\\",
            "E'",
            "U&'",
            "U&\"",
            "\u0130",
            "\ud83d",
            "\0",
            "1",
            "1.5e",
            "set ",
            "select ",
            "into ",
            "temp ",
            "role ",
            "session ",
            "local ",
            "to ",
            "default ",
            "set_config(",
            "pg_catalog.",
            "pg_advisory_lock(",
            "get_lock(",
            "explain analyze ",
            "create temp table ",
            "begin ",
            "atomic ",
            "end ",
            "case ",
            "call ",
            "declare c cursor with hold for ",
            "update pg_settings ",
            "drop table ",
            "prepare p as ",
            "handler t open ",
            "set statement a=1 for ",
            "rollback to ",
            "and chain",
            "a",
            "with ");

    private static String repeated(String fragment) {
        return fragment.repeat(LENGTH / fragment.length() + 1).substring(0, LENGTH);
    }

    private static void isLinear(String sql) {
        for (Function<String, StatementReader> reader : READERS) {
            StatementReader read = reader.apply(sql);
            Verdict verdict = read.verdict();
            assertThat(read.tokens.steps())
                    .as(sql.length() > 200 ? sql.substring(0, 200) : sql)
                    .isLessThanOrEqualTo(2L * sql.length() + 10);
            assertThat(verdict.steps()).hasSizeLessThanOrEqualTo(StatementReader.MAX_STEPS);
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(FRAGMENTS).list().ofMaxSize(40).map(fragments -> String.join("", fragments));
    }

    @Property(tries = 5_000)
    void anyTextIsClassifiedInLinearTime(@ForAll("texts") String sql) {
        isLinear(sql);
    }

    @Property(tries = 1_000)
    void anyCharactersAreClassifiedInLinearTime(@ForAll String sql) {
        isLinear(sql);
    }

    @Test
    void aLongTextIsClassifiedInLinearTime() {
        FRAGMENTS.forEach(fragment -> {
            isLinear(repeated(fragment));
            isLinear("select " + repeated(fragment));
            isLinear("set a = " + repeated(fragment));
        });
        isLinear("$" + repeated("a"));
        isLinear("select " + "$" + repeated("a").substring(0, LENGTH / 2) + "$" + repeated("$" + "a".repeat(500)));
    }

    /** A script with very many statements would need memory for each of its effects. */
    @Test
    void aScriptIsCutAtABound() {
        Verdict verdict = StatementClassifier.postgresql().classify(repeated("set a.b = 1;"));
        assertThat(verdict.steps()).hasSize(StatementReader.MAX_STEPS);
        assertThat(verdict.unknown()).isTrue();
    }

    /** Prints the longest time for 100 kB; the aim is 10 ms. */
    @Test
    @Tag("scenario")
    void theSlowestLongText() {
        long slowest = 0;
        String of = "";
        for (String fragment : FRAGMENTS) {
            for (String before : List.of("", "select ", "set a = ")) {
                String sql = before + repeated(fragment);
                for (Function<String, StatementReader> reader : READERS) {
                    long best = Long.MAX_VALUE;
                    for (int i = 0; i < 20; i++) {
                        long started = System.nanoTime();
                        reader.apply(sql).verdict();
                        best = Math.min(best, System.nanoTime() - started);
                    }
                    if (best > slowest) {
                        slowest = best;
                        of = before + fragment;
                    }
                }
            }
        }
        System.out.printf(Locale.ROOT, "100 kB of hostile text: at most %.2f ms (%s)%n", slowest / 1e6, of);
        assertThat(slowest).isPositive();
    }
}
