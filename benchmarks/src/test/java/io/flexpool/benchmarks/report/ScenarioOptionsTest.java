// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ScenarioOptionsTest {
    @Command
    private static final class Scenario {
        @Mixin
        private ScenarioOptions options = new ScenarioOptions();
    }

    @Test
    void aResultIsPrintedAndWrittenToBothFiles(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("r.json");
        Path markdown = folder.resolve("r.md");
        ScenarioResult result = Samples.result(false);
        StringWriter screen = new StringWriter();

        options("--json", json.toString(), "--markdown", markdown.toString()).publish(result, new PrintWriter(screen));

        assertThat(screen.toString())
                .contains("Directory <service> (INTERRUPTED: what was measured until then)")
                .contains("started 2026-11-21T16:00:00Z, took 61 s; pools c3p0, hikaricp")
                .contains("A note with <angles>.")
                .contains("pool        requests  failures", "c3p0       1,427,995        75")
                .contains("REPRODUCED: c3p0 fails in bursts (published comparison)")
                .contains("  published 75 failures, measured 70 failures, ratio 0.93")
                .contains("  70 of 100 & more")
                .contains("GOAL MISSED: no failure (goal)", "  measured 3" + System.lineSeparator());
        JsonNode tree = new ObjectMapper().readTree(json.toFile());
        assertThat(tree.fieldNames())
                .toIterable()
                .containsExactly(
                        "format",
                        "scenario",
                        "title",
                        "startedAt",
                        "seconds",
                        "complete",
                        "command",
                        "options",
                        "environment",
                        "findings",
                        "tables",
                        "graphs",
                        "notes",
                        "figures");
        assertThat(tree.at("/findings/1/verdict").asText()).isEqualTo("GOAL_MISSED");
        assertThat(tree.at("/graphs/1/series/0/points/1/y").asDouble()).isEqualTo(1900);
        assertThat(Files.readString(markdown)).contains("Directory <service>");
    }

    @Test
    void aCompleteResultIsNotCalledInterrupted() throws IOException {
        StringWriter screen = new StringWriter();

        options().publish(Samples.result(true), new PrintWriter(screen));

        assertThat(screen.toString()).contains("Directory <service>").doesNotContain("INTERRUPTED");
    }

    @Test
    void theSeedAndTheSmallFormAreRead() {
        assertThat(options().seed()).isEqualTo(1);
        assertThat(options().quick()).isFalse();
        assertThat(options("--seed", "-7", "--quick").seed()).isEqualTo(-7);
        assertThat(options("--quick").quick()).isTrue();
    }

    @Test
    void whatWasGivenHoldsInBothForms() {
        assertThat(options().value(7, 20, 1)).isEqualTo(7);
        assertThat(options("--quick").value(7, 20, 1)).isEqualTo(7);
        assertThat(options().value(null, 20, 1)).isEqualTo(20);
        assertThat(options("--quick").value(null, 20, 1)).isEqualTo(1);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefusedByName() {
        assertThatThrownBy(() -> options("--markdown", "/no/such/page.md"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--markdown")
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> options("--seed", "x"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("--seed")
                .hasMessageContaining("'x' must be a whole number");
    }

    @Test
    void thePageMayNotTakeThePlaceOfTheResult(@TempDir Path folder) {
        String file = folder.resolve("r.out").toString();

        assertThatThrownBy(() -> options("--json", file, "--markdown", folder + "/./r.out"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'--markdown'")
                .hasMessageContaining("is that of --json");
        assertThatThrownBy(() -> options("--markdown", file, "--json", file)).isInstanceOf(ParameterException.class);
    }

    private static ScenarioOptions options(String... arguments) {
        Scenario scenario = new Scenario();
        new CommandLine(scenario).parseArgs(arguments);
        return scenario.options;
    }
}
