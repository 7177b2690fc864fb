// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.benchmarks.report.Picture;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LedgerTest {
    private static final Path DOCS = Path.of("..", "..", "docs", "performance");
    private static final Path MEASURED = DOCS.resolve("overhead.json");

    @TempDir
    private Path folder;

    private static LedgerLine line(int number, double ns, double inIdeals, double bytes) {
        return new LedgerLine(
                String.format(Locale.ROOT, "%07x", number), "2026-11-24", "Java 17 (X)", "1:2", 3, ns, inIdeals, bytes);
    }

    private static Ledger tenOf(double ns) {
        List<LedgerLine> lines = new ArrayList<>();
        for (int at = 0; at < 10; at++) {
            lines.add(line(at, ns, 1.1, 32));
        }
        return new Ledger(lines);
    }

    @Test
    void aCommitThatCostsMoreThanFifteenPercentMoreIsNamed() {
        assertThat(tenOf(100).with(line(99, 114.9, 1.1, 32)).regressions()).isEmpty();
        assertThat(tenOf(100).with(line(99, 115.1, 1.1, 32)).regressions())
                .containsExactly("0000063: ns 115.10, +15 % over 100.00, the median of the 10 commits before it");
        assertThat(tenOf(100).with(line(99, 100, 1.3, 40)).regressions())
                .hasSize(2)
                .anyMatch(text -> text.contains(" I 1.30"))
                .anyMatch(text -> text.contains(" bytes 40"));
    }

    /** One slow run among the ten would move a mean, and the next real one would pass. */
    @Test
    void oneSlowRunBeforeDoesNotHideTheNext() {
        Ledger ledger = tenOf(100).with(line(50, 900, 1.1, 32)).with(line(99, 130, 1.1, 32));
        assertThat(ledger.regressions()).hasSize(1);
    }

    @Test
    void onlyTheTenBeforeCount() {
        Ledger ledger = tenOf(50);
        for (int at = 20; at < 30; at++) {
            ledger = ledger.with(line(at, 100, 1.1, 32));
        }
        assertThat(ledger.with(line(99, 110, 1.1, 32)).regressions()).isEmpty();
    }

    @Test
    void anotherJavaIsNotComparedAndTwoLinesSayNothing() {
        LedgerLine newer = new LedgerLine("abcdef0", "2026-11-24", "Java 25 (X)", "1:2", 3, 500, 5, 64);
        assertThat(tenOf(100).with(newer).regressions()).isEmpty();
        assertThat(new Ledger(List.of(line(1, 1, 1, 1), line(2, 1, 1, 1), line(3, 9, 9, 9))).regressions())
                .isEmpty();
    }

    @Test
    void whatIsWrittenIsReadAgainAndASecondMeasurementReplacesTheFirst() throws IOException {
        Path file = folder.resolve("ledger.csv");
        Ledger ledger = tenOf(100).with(line(3, 101.5, 1.2, 40));
        Files.writeString(file, ledger.csv());
        assertThat(Ledger.read(file)).isEqualTo(ledger);
        assertThat(ledger.lines()).hasSize(10);
        assertThat(ledger.lines().get(3).ns()).isEqualTo(101.5);
        assertThat(Ledger.read(folder.resolve("missing.csv")).lines()).isEmpty();
        Files.writeString(file, "a,b\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Ledger.read(file)).withMessageContaining("is no ledger");
    }

    /** As .ci/ledger calls it, with a result that overhead wrote. */
    @Test
    void theCommandAddsALineDrawsAndFailsOnlyIfItBecameDearer() throws IOException {
        Path csv = folder.resolve("ledger.csv");
        Path svg = folder.resolve("ledger.svg");
        String[] add = {
            "--csv",
            csv.toString(),
            "--svg",
            svg.toString(),
            "--result",
            MEASURED.toString(),
            "--commit",
            "abcdef0",
            "--date",
            "2026-11-23"
        };
        assertThat(new CommandLine(new LedgerCommand()).execute(add)).isZero();
        LedgerLine added = Ledger.read(csv).lines().get(0);
        assertThat(added.java()).isEqualTo("Java 17.0.15 (Debian)");
        assertThat(added.load()).isEqualTo("1:2");
        assertThat(added.ns()).isBetween(110.0, 130.0);
        assertThat(added.inIdeals()).isBetween(1.0, 1.25);
        assertThat(added.bytes()).isEqualTo(32);
        assertThat(svg).hasContent(Picture.svg(Ledger.read(csv).graph()));

        Ledger cheap = new Ledger(List.of());
        for (int at = 1; at <= 3; at++) {
            cheap = cheap.with(new LedgerLine(
                    "000000" + at, "2026-11-22", added.java(), added.load(), 3, added.ns() / 2, added.inIdeals(), 32));
        }
        Files.writeString(csv, cheap.csv());
        StringWriter said = new StringWriter();
        CommandLine again = new CommandLine(new LedgerCommand()).setOut(new PrintWriter(said));
        assertThat(again.execute(add)).isEqualTo(1);
        assertThat(said.toString()).contains("abcdef0: ns").contains("1 figures became dearer");
    }

    /** With {@code -Dflexpool.write} it draws it. */
    @Test
    void thePublishedPictureIsOfThePublishedLines() throws IOException {
        Ledger ledger = Ledger.read(DOCS.resolve("ledger.csv"));
        Path picture = DOCS.resolve("ledger.svg");
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(picture, Picture.svg(ledger.graph()));
        }
        assertThat(ledger.lines()).isNotEmpty();
        assertThat(picture).hasContent(Picture.svg(ledger.graph()));
    }
}
