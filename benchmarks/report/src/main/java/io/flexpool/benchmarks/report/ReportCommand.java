// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.HtmlFile;
import io.flexpool.benchmarks.kit.JsonFile;
import io.flexpool.benchmarks.kit.OptionRules;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The subcommand {@code report}. */
@Command(
        modelTransformer = OptionRules.class,
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
    private List<Input> inputs = new ArrayList<>();

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
        inputs.stream()
                .filter(input -> JsonFile.same(input.file(), html.path()))
                .findFirst()
                .ifPresent(this::refuse);
        List<ScenarioResult> results = inputs.stream().map(Input::result).toList();
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

    private void refuse(Input input) {
        throw new ParameterException(
                spec.commandLine(),
                "Invalid value for option '--html': '" + input.file()
                        + "' is one of the results; must be another file");
    }

    /** A result, and where it stands. */
    record Input(Path file, ScenarioResult result) {}

    /** Reads a result, so that a bad file is refused before anything is written. */
    static final class Converter implements ITypeConverter<Input> {
        @Override
        public Input convert(String file) {
            try {
                Path path = Path.of(file);
                return new Input(path, ResultFile.read(path));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
