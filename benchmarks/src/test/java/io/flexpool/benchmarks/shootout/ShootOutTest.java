// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.Benchmarks;
import io.flexpool.benchmarks.kit.FreshJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("scenario")
class ShootOutTest {
    @TempDir
    private Path folder;

    /** Proxool, because it alone needs a JVM with an option, and refuses where others wait. */
    @Test
    void fullProxoolRefusesOnlyWithoutFlexpool() throws IOException {
        JsonNode result = run("--pools=proxool", "--variants=bare,flexpool", "--threads=4,1");

        assertThat(result.path("scenario").asText()).isEqualTo("shoot-out");
        assertThat(result.path("complete").asBoolean()).isTrue();
        assertThat(result.at("/options/threads").asText()).isEqualTo("1,4");
        assertThat(result.at("/options/seed").asText()).isEqualTo("5");
        assertThat(result.path("command").path(0).asText()).isEqualTo("shoot-out");
        JsonNode rounds = result.at("/figures/results");
        assertThat(names(rounds))
                .containsExactlyInAnyOrder(
                        "proxool bare 1 0",
                        "proxool bare 4 0",
                        "proxool bare 100 10",
                        "proxool flexpool 1 0",
                        "proxool flexpool 4 0",
                        "proxool flexpool 100 10");
        assertThat(rounds).allSatisfy(ShootOutTest::isComplete);
        assertThat(rounds)
                .filteredOn(round -> round.at("/heat/errors").asInt() > 0)
                .extracting(round -> round.path("pool").asText() + " "
                        + round.path("variant").asText())
                .containsOnly("proxool bare");
        assertThat(result.path("findings").findValuesAsText("verdict"))
                .startsWith("REPRODUCED")
                .endsWith("GOAL_MET");
        assertThat(result.path("tables").findValuesAsText("title"))
                .anyMatch(title -> title.startsWith("Total ms of 300 cycles"))
                .anyMatch(title -> title.contains("scaled up from 300 cycles"))
                .noneMatch(title -> title.startsWith("Without figures"));
        assertThat(result.path("graphs")).hasSize(3);
        assertThat(folder.resolve("page.md")).content().contains("shoot-out");
    }

    /** A PostgreSQL without a place for its data does not start. */
    @Test
    void aDatabaseThatCannotRunIsRefused() throws Exception {
        Path json = folder.resolve("postgres.json");

        FreshJvm.Ended ended = new FreshJvm(Benchmarks.class)
                .options(List.of("-Djava.io.tmpdir=" + folder.resolve("absent")))
                .arguments(
                        "shoot-out",
                        "--db=postgres",
                        "--pools=vibur",
                        "--variants=bare",
                        "--threads=1",
                        "--cycles=1",
                        "--repeats=1",
                        "--json=" + json)
                .run("nothing", Duration.ofMinutes(2), () -> false, line -> {});

        assertThat(ended.exitCode()).as(ended.said()).isEqualTo(2);
        assertThat(json).doesNotExist();
    }

    private static void isComplete(JsonNode round) {
        assertThat(round.path("outcome").asText()).isEqualTo("MEASURED");
        JsonNode heat = round.path("heat");
        assertThat(heat.path("ms").asDouble()).isPositive();
        assertThat(heat.path("answered").asInt() + heat.path("errors").asInt())
                .isEqualTo(round.at("/round/cycles").asInt());
        assertThat(heat.path("peak").asInt()).isBetween(1, Sizes.MAX);
        assertThat(heat.path("openAtEnd").asInt())
                .isBetween(1, heat.path("peak").asInt());
    }

    private static List<String> names(JsonNode rounds) {
        List<String> names = new ArrayList<>();
        rounds.forEach(round -> names.add(String.join(
                " ",
                round.path("pool").asText(),
                round.path("variant").asText(),
                round.at("/round/threads").asText(),
                round.at("/round/holdMs").asText())));
        return names;
    }

    private JsonNode run(String... options) throws IOException {
        Path json = folder.resolve("result.json");
        StringWriter out = new StringWriter();
        List<String> args = new ArrayList<>(List.of("shoot-out", "--cycles=300", "--repeats=1", "--seed=5"));
        args.addAll(List.of(options));
        args.addAll(List.of("--json=" + json, "--markdown=" + folder.resolve("page.md")));
        int exitCode =
                Benchmarks.commandLine().setOut(new PrintWriter(out, true)).execute(args.toArray(String[]::new));
        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString()).contains("REPRODUCED: Proxool throws errors under contention");
        return new ObjectMapper().readTree(Files.readString(json));
    }
}
