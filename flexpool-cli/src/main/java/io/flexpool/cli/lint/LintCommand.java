// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import io.flexpool.cli.Checks;
import io.flexpool.cli.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The subcommand {@code lint}. */
@Command(
        name = "lint",
        description = "Reads a project's configuration and reports harmful settings of connection pools.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no finding is as severe as --fail-on",
            "1:a file could not be read; the others were",
            "2:an option is wrong",
            "3:a finding is as severe as --fail-on"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  flexpool lint .",
            "  flexpool lint . --max-connections 97 --sarif lint.sarif --fail-on error",
            "",
            "A comment 'flexpool: ignore <rule>' in a file suppresses the rule there."
        })
public final class LintCommand implements Callable<Integer> {
    private static final String NEVER = "never";
    private static final int FOUND = 3;
    private static final int UNREADABLE = 1;
    private static final int MOST = 1_000_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "DIRECTORY", description = "The project (default: the current directory).")
    private Path directory = Path.of(".");

    @Option(
            names = "--max-connections",
            paramLabel = "N",
            description = "How many connections the server has for these applications.")
    private @Nullable Integer available;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            description = "The lowest severity that gives exit code 3: error, warning, note, never (default: warning).")
    private String failOn = "warning";

    @Option(names = "--tests", description = "Reads the resources of tests too.")
    private boolean tests;

    @Option(names = "--rules", description = "Lists the rules and ends.")
    private boolean rules;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Writes the answer as JSON; - for the standard output.")
    private @Nullable Path json;

    @Option(
            names = "--sarif",
            paramLabel = "FILE",
            description = "Writes the answer as SARIF 2.1.0; - for the standard output.")
    private @Nullable Path sarif;

    /** Created by the command line parser. */
    public LintCommand() {}

    @Override
    public Integer call() throws IOException {
        picocli.CommandLine commandLine = Objects.requireNonNull(spec).commandLine();
        PrintWriter standard = commandLine.getOut();
        if (rules) {
            for (Rule rule : Rule.values()) {
                standard.println(
                        String.format(Locale.ROOT, "%-18s %-8s %s", rule.id(), rule.severity(), rule.summary()));
            }
            return 0;
        }
        Checks.within(spec, "--max-connections", available, 0, MOST);
        List<String> severities = List.of("error", "warning", "note", NEVER);
        if (!severities.contains(failOn)) {
            throw Checks.wrong(spec, "--fail-on = " + failOn + ": must be one of " + String.join(", ", severities));
        }
        if (!Files.isDirectory(directory)) {
            throw Checks.wrong(spec, directory + ": not a directory");
        }
        Linter.Result result = Linter.run(directory, tests, available == null ? -1 : available);
        boolean taken = (json != null && Output.isStandard(json)) || (sarif != null && Output.isStandard(sarif));
        LintText.print(result, taken ? commandLine.getErr() : standard);
        result.problems().forEach(each -> commandLine.getErr().println(LintText.line(each)));
        if (json != null) {
            new Output(json, standard).write(LintJson.json(result));
        }
        if (sarif != null) {
            String version = LintCommand.class.getPackage().getImplementationVersion();
            new Output(sarif, standard).write(LintJson.sarif(result, version, ofRepository(directory)));
        }
        if (result.findings().stream().anyMatch(this::fails)) {
            return FOUND;
        }
        return result.problems().isEmpty() ? 0 : UNREADABLE;
    }

    /**
     * The directory relative to the root of its repository, because code hosts use paths from there; empty without a
     * repository.
     */
    private static Path ofRepository(Path directory) throws IOException {
        Path real = directory.toRealPath();
        for (Path at = real; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(".git"))) {
                return at.relativize(real);
            }
        }
        return Path.of("");
    }

    private boolean fails(Finding finding) {
        return !failOn.equals(NEVER)
                && finding.rule().severity().compareTo(Severity.valueOf(failOn.toUpperCase(Locale.ROOT))) >= 0;
    }
}
