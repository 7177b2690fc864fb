// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The page for man has the texts of --help. */
class ManPageTest {
    @TempDir
    private Path folder;

    private static String page() {
        ProgramRun run = ProgramRun.of("generate-man-page");
        assertThat(run.code()).isZero();
        return run.out();
    }

    private static String plain(String text) {
        return text.replaceAll("\\\\f[BIR]", "")
                .replace("\\-", "-")
                .replace("\\&", "")
                .replace("\\e", "\\");
    }

    private static Stream<CommandSpec> commands() {
        CommandLine program = FlexpoolCli.commandLine();
        return Stream.concat(Stream.of(program), program.getSubcommands().values().stream())
                .map(CommandLine::getCommandSpec);
    }

    @Test
    void itHasEachTextOfTheHelp() {
        String page = plain(page()).replaceAll("\\s+", " ");
        assertThat(commands()).hasSizeGreaterThan(6).allSatisfy(command -> {
            Stream<String> descriptions = command.args().stream()
                    .filter(each -> !(each instanceof OptionSpec option && option.usageHelp()))
                    .map(ArgSpec::description)
                    .flatMap(Arrays::stream);
            Stream<String> names = command.options().stream().flatMap(each -> Arrays.stream(each.names()));
            Stream<String> texts = Stream.of(
                            command.usageMessage().description(),
                            command.usageMessage().footer(),
                            command.usageMessage().exitCodeList().values().toArray(String[]::new))
                    .flatMap(Arrays::stream);
            assertThat(Stream.of(descriptions, names, texts)
                            .flatMap(each -> each)
                            .map(each -> each.replace("%n", " ")
                                    .replace("%%", "%")
                                    .replaceAll("\\s+", " ")
                                    .strip()))
                    .allSatisfy(text -> assertThat(page).contains(text));
        });
    }

    /** What begins with a point is a macro, and nothing else may. */
    @Test
    void eachLineIsAMacroOrText() {
        assertThat(page().lines().filter(line -> line.startsWith(".")))
                .isNotEmpty()
                .allMatch(line -> line.matches("\\.(TH|SH) .*|\\.(TP|PP|nf|fi)"));
        assertThat(page().lines().filter(line -> line.startsWith("'"))).isEmpty();
        assertThat(page()).startsWith(".TH FLEXPOOL 1 \"\" \"flexpool ");
    }

    @Test
    void groffHasNothingToWarnOf() throws IOException, InterruptedException {
        assumeTrue(
                Stream.of("/usr/bin", "/usr/local/bin").anyMatch(each -> Files.isExecutable(Path.of(each, "groff"))),
                "this machine has no groff");
        Path page = Files.writeString(folder.resolve("flexpool.1"), page());
        Path warnings = folder.resolve("warnings");
        int code = new ProcessBuilder("groff", "-man", "-ww", "-z", page.toString())
                .redirectErrorStream(true)
                .redirectOutput(warnings.toFile())
                .start()
                .waitFor();
        assertThat(warnings).isEmptyFile();
        assertThat(code).isZero();
    }
}
