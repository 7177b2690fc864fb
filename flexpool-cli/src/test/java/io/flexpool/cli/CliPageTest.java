// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/reference/program.md has the commands and exit codes that the program has; HelpTest runs its examples. */
class CliPageTest {
    private static final Pattern SECTION = Pattern.compile("(?m)^## `([a-z]+)`");
    private static final Pattern CODE = Pattern.compile("(?m)^\\| (\\d) \\|");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "reference", "program.md"));
    }

    @Test
    void thePageHasASectionForEachCommand() throws IOException {
        assertThat(SECTION.matcher(page()).results().map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(FlexpoolCli.commandLine().getSubcommands().keySet().stream()
                        .filter(name -> !Set.of("help", "generate-completion", "generate-man-page")
                                .contains(name))
                        .toList());
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
