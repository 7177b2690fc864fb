// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    private enum Database {
        SLOW_DATABASE
    }

    @Test
    void constantsAreHyphenated() {
        assertThat(Words.word(Database.SLOW_DATABASE)).isEqualTo("slow-database");
        assertThat(Words.word(TimeUnit.DAYS)).isEqualTo("days");
    }

    @Test
    void countsAreSingularOrPlural() {
        assertThat(Words.count(0, "lease")).isEqualTo("0 leases");
        assertThat(Words.count(1, "lease")).isEqualTo("1 lease");
        assertThat(Words.count(2, "lease")).isEqualTo("2 leases");
    }

    @ParameterizedTest
    @CsvSource({
        "Check that the port is correct., Check that the port is correct",
        "starting up ..., starting up",
        "'Refused. ', Refused",
        "Report 2.5 of a.b, Report 2.5 of a.b",
        "., ''",
        "'', ''"
    })
    void aClauseHasNoFullStopAtItsEnd(String text, String clause) {
        assertThat(Words.clause(text)).isEqualTo(clause);
    }

    @Test
    void millisecondsAreWhole() {
        assertThat(Words.millis(1_999_999)).isEqualTo("1 ms");
        assertThat(Words.millis(Duration.ofSeconds(3).toNanos())).isEqualTo("3000 ms");
    }

    @ParameterizedTest
    @CsvSource({
        "1d, P1D",
        "2h, PT2H",
        "5 m, PT5M",
        "3s, PT3S",
        "20 ms, PT0.02S",
        "7us, PT0.000007S",
        "9ns, PT0.000000009S"
    })
    void shortDurationsAreRead(String text, Duration read) {
        assertThat(Words.duration(text)).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({"PT1.5S, PT1.5S", "pt0.2s, PT0.2S", "-PT1S, PT-1S", "36500d, P36500D"})
    void isoDurationsAreRead(String text, Duration read) {
        assertThat(Words.duration(text)).isEqualTo(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "5 parsecs", "-5s", "1.5s", "36501d", "9999999999999999s", "P99999999999D"})
    void othersAreNone(String text) {
        @Nullable Duration read = Words.duration(text);
        assertThat(read).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "base, base, 0",
        "bsae, base, 2",
        "bas, base, 1",
        "bases, base, 1",
        "'', base, 4",
        "base, '', 4",
        "kitten, sitting, 3"
    })
    void distanceCountsEdits(String from, String to, int edits) {
        assertThat(Words.distance(from, to)).isEqualTo(edits);
    }

    @Test
    void theFirstOfTheNearestIsFound() {
        assertThat(Words.nearest("bsae", List.of("ceiling", "base", "bare"))).isEqualTo("base");
        assertThat(Words.nearest("bale", List.of("base", "bare"))).isEqualTo("base");
    }

    @ParameterizedTest
    @CsvSource({"java.lang.Thread, true", "sun.nio.ch.Net, true", "javax.naming.A, true", "org.h2.Driver, false"})
    void classesOfTheJdkAreKnown(String className, boolean itsOwn) {
        assertThat(Words.ofTheJdk(className)).isEqualTo(itsOwn);
    }
}
