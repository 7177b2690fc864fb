// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.TraceWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What a reader of --help types. */
class HelpTest {
    private static final String DEPLOYMENT = """
        kind: Deployment
        metadata: {name: reporting}
        spec: {replicas: 2, template: {spec: {containers: [{name: a, env: [{name: FLEXPOOL_CEILING, value: '9'}]}]}}}
        """;

    private static final String LOG = "orders - Pool stats (total=3/3, idle=2/3, active=1, waiting=0)\n";

    @TempDir
    private Path folder;

    private final StringWriter said = new StringWriter();

    static Stream<String> examples() {
        return FlexpoolCli.commandLine().getSubcommands().values().stream()
                .flatMap(command ->
                        Arrays.stream(command.getCommandSpec().usageMessage().footer()))
                .map(String::strip)
                .filter(line -> line.contains("flexpool "));
    }

    /** The commands of docs/reference/program.md, after the program's name; with a pipe what another program would write is the input. */
    static Stream<String> commandsOfThePage() throws IOException {
        return Files.readString(Path.of("..", "docs", "reference", "program.md"))
                .lines()
                .filter(line -> line.contains("java -jar flexpool-cli/target/flexpool.jar "))
                .map(line -> (line.contains("kubectl logs") ? "LOG | flexpool " : "flexpool ")
                        + line.replaceFirst(".*flexpool\\.jar ", "").replace("\"", ""));
    }

    @Test
    void thePageHasCommandsOfEachKind() throws IOException {
        assertThat(commandsOfThePage().toList())
                .hasSizeGreaterThanOrEqualTo(11)
                .anyMatch(line -> line.startsWith("LOG"))
                .anyMatch(line -> line.contains("--jfr"))
                .anyMatch(line -> line.contains("budget -"));
    }

    @ParameterizedTest
    @MethodSource("commandsOfThePage")
    void aCommandOfThePageRuns(String command) {
        anExampleRuns(command);
    }

    @BeforeEach
    void files() throws IOException {
        Files.writeString(folder.resolve("app.log"), LOG);
        try (OutputStream zip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("app.log.1.gz")))) {
            zip.write(LOG.getBytes(StandardCharsets.UTF_8));
        }
        try (InputStream recording =
                new GZIPInputStream(Objects.requireNonNull(HelpTest.class.getResourceAsStream("/jfr/tomcat.jfr.gz")))) {
            Files.copy(recording, folder.resolve("recording.jfr"));
        }
        for (String dump : List.of("dump1.txt", "dump2.txt", "dump3.txt")) {
            try (InputStream recorded = new GZIPInputStream(
                    Objects.requireNonNull(HelpTest.class.getResourceAsStream("/doctor/sleep.txt.gz")))) {
                Files.copy(recorded, folder.resolve(dump));
            }
        }
        Files.copy(Path.of("src/test/resources/doctor/sessions-other.csv"), folder.resolve("sessions.csv"));
        Files.writeString(
                folder.resolve("metrics.txt"),
                "# TYPE hikaricp_connections_max gauge\nhikaricp_connections_max{pool=\"orders\"} 4.0\n");
        String page = Files.readString(Path.of("..", "docs", "reference", "program.md"));
        Files.writeString(
                folder.resolve("budget.yaml"), page.split("```yaml\n", 2)[1].split("```", 2)[0]);
        Files.writeString(folder.resolve("deployment.yaml"), DEPLOYMENT);
        Files.writeString(folder.resolve("hpa.yaml"), """
                kind: HorizontalPodAutoscaler
                spec: {scaleTargetRef: {kind: Deployment, name: reporting}, maxReplicas: 3}
                """);
        Files.writeString(folder.resolve("flexy-pool.properties"), "flexy.pool.data.source.unique.name=orders\n");
        Path resources = Files.createDirectories(folder.resolve("src/main/resources"));
        Files.writeString(
                resources.resolve("application.yml"),
                "decorator.datasource.flexy-pool.threshold.connection.lease: 1000\n");
        try (TraceWriter writer = new TraceWriter(folder.resolve("orders.fpt"), Map.of("max", "5"), 1 << 20, false)) {
            writer.add(0, 0, 1_000_000, Ending.RELEASED, "shop.Orders.find", 0, false);
        }
    }

    @Test
    void eachCommandHasTwoExamples() {
        assertThat(examples()).hasSize(10);
        assertThat(List.of("advise", "budget", "doctor", "lint", "migrate"))
                .allSatisfy(command -> assertThat(examples().filter(line -> line.contains(command + " ")))
                        .hasSize(2));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleRuns(String example) {
        String[] words = example.substring(example.indexOf("flexpool ") + "flexpool ".length())
                .split(" ");
        for (int at = 1; at < words.length; at++) {
            boolean file =
                    words[at].matches("[\\w/.-]+\\.(log|gz|yaml|yml|properties|fpt|html|json|jfr|sarif|txt|csv)");
            words[at] = file ? folder.resolve(words[at]).toString() : words[at];
            words[at] = words[at].equals("4711")
                    ? String.valueOf(ProcessHandle.current().pid())
                    : words[at];
        }
        InputStream before = System.in;
        String piped = example.startsWith("LOG") ? LOG : DEPLOYMENT;
        System.setIn(new ByteArrayInputStream(piped.getBytes(StandardCharsets.UTF_8)));
        try {
            CommandLine program = FlexpoolCli.commandLine()
                    .setOut(new PrintWriter(said, true))
                    .setErr(new PrintWriter(said, true));
            assertThat(program.execute(words)).as("%s: %s", example, said).isZero();
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void anUnknownCommandNamesTheNearestInOneLine() {
        CommandLine program = FlexpoolCli.commandLine().setErr(new PrintWriter(said, true));
        assertThat(program.execute("advice", "x")).isEqualTo(2);
        assertThat(said.toString()).contains("Unmatched argument").contains("flexpool advise");
        assertThat(said.toString().lines().count()).isLessThanOrEqualTo(3);
    }

    @Test
    void theScriptOfCompletionHasEachCommand() {
        ProgramRun run = ProgramRun.of("generate-completion");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("complete -F _complete_flexpool").contains("advise budget doctor lint migrate");
    }

    @Test
    void theVersionIsPrinted() {
        CommandLine program = FlexpoolCli.commandLine().setOut(new PrintWriter(said, true));
        assertThat(program.execute("--version")).isZero();
        assertThat(said.toString()).startsWith("flexpool ");
    }
}
