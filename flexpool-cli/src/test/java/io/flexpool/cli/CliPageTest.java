// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** docs/reference/program.md has the options and exit codes that the program has. */
class CliPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(--[a-z-]+)");
    private static final Pattern CODE = Pattern.compile("(?m)^\\| (\\d) \\|");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "reference", "program.md"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"advise", "budget", "migrate"})
    void thePageHasEachOption(String command) throws IOException {
        CommandLine subcommand = Objects.requireNonNull(
                FlexpoolCli.commandLine().getSubcommands().get(command));
        Set<String> options = subcommand.getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !Set.of("--help", "--version").contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        String section = Arrays.stream(page().split("(?m)^## "))
                .filter(part -> part.startsWith("`" + command + "`"))
                .findFirst()
                .orElseThrow();
        Set<String> rows = ROW.matcher(section)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(rows).isEqualTo(options);
    }

    @Test
    void thePageHasEachExitCode() throws IOException {
        Set<String> codes = FlexpoolCli.commandLine()
                .getCommandSpec()
                .usageMessage()
                .exitCodeList()
                .keySet();
        Matcher rows = CODE.matcher(page());
        assertThat(rows.results().map(found -> found.group(1))).containsExactlyElementsOf(codes);
    }
}
