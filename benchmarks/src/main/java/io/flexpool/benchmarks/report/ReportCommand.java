// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.OutputFile;
import io.flexpool.benchmarks.kit.Subcommand;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The subcommand {@code report}. */
@Command(name = "report", description = "Makes one page of the results that scenarios wrote with --json.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class ReportCommand extends Subcommand {
    @Parameters(
            arity = "1..*",
            converter = Converter.class,
            paramLabel = "RESULT",
            description = "Results, in the order in which the page shows them.")
    private List<Input> inputs = new ArrayList<>();

    @Option(
            names = "--html",
            required = true,
            converter = OutputFile.PageConverter.class,
            paramLabel = "FILE",
            description = "The page. It needs no other file and no network.")
    private OutputFile html;

    @Option(
            names = "--publish",
            paramLabel = "FOLDER",
            description = "Also writes each result to this folder, under its name and small enough to be published:"
                    + " a line of a graph has at most " + Outline.MOST_POINTS
                    + " points, those that its picture needs, and figures have six digits.")
    private @Nullable Path published;

    /** Made by the command line parser. */
    public ReportCommand() {}

    @Override
    public Integer call() throws Exception {
        for (Input input : inputs) {
            if (html.same(input.file())) {
                throw refused("--html", input.file(), "is one of the results; must be another file");
            }
        }
        Map<Path, ScenarioResult> copies = published == null ? Map.of() : copies(published);
        List<ScenarioResult> results = inputs.stream().map(Input::result).toList();
        for (Map.Entry<Path, ScenarioResult> copy : copies.entrySet()) {
            new OutputFile(copy.getKey()).json(ResultFile.published(copy.getValue()));
        }
        html.text(new ReportPage(results).html());
        PrintWriter out = out();
        for (ScenarioResult result : results) {
            out.println(result.title() + (result.complete() ? "" : " (interrupted)"));
            result.findings()
                    .forEach(finding -> out.println("  " + finding.verdict().words() + ": " + finding.claim()));
        }
        out.println(html.path());
        out.flush();
        return 0;
    }

    /** Where each result is published: a copy takes the place of no result, of no other copy and not of the page. */
    private Map<Path, ScenarioResult> copies(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw refused("--publish", folder, "is no folder");
        }
        Map<Path, ScenarioResult> copies = new LinkedHashMap<>();
        for (Input input : inputs) {
            Path copy = folder.resolve(String.valueOf(input.file().getFileName()));
            OutputFile target = new OutputFile(copy);
            if (target.same(html.path()) || inputs.stream().anyMatch(other -> target.same(other.file()))) {
                throw refused("--publish", folder, "has one of the results or the page; must be another folder");
            }
            if (copies.put(copy, input.result()) != null) {
                throw refused("--publish", folder, "would have two results of the name " + copy.getFileName());
            }
        }
        return copies;
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
