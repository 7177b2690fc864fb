// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.HtmlFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The subcommand {@code report}. */
@Command(
        name = "report",
        description = "Makes one page of the results that scenarios wrote with --json.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ReportCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            converter = Converter.class,
            paramLabel = "RESULT",
            description = "Results, in the order in which the page shows them.")
    private List<ScenarioResult> results = new ArrayList<>();

    @Option(
            names = "--html",
            required = true,
            converter = HtmlFile.Converter.class,
            paramLabel = "FILE",
            description = "The page. It needs no other file and no network.")
    private HtmlFile html;

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public ReportCommand() {}

    @Override
    public Integer call() throws Exception {
        html.write(new ReportPage(results).html());
        PrintWriter out = spec.commandLine().getOut();
        for (ScenarioResult result : results) {
            out.println(result.title() + (result.complete() ? "" : " (interrupted)"));
            result.findings()
                    .forEach(finding -> out.println("  " + finding.verdict().words() + ": " + finding.claim()));
        }
        out.println(html.path());
        out.flush();
        return 0;
    }

    /** Reads a result, so that a bad file is refused before anything is written. */
    static final class Converter implements ITypeConverter<ScenarioResult> {
        @Override
        public ScenarioResult convert(String file) {
            try {
                return ResultFile.read(Path.of(file));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
