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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The subcommand {@code report}. */
@Command(name = "report", description = "Prints the results that scenarios wrote with --json.")
public final class ReportCommand extends Subcommand {
    @Parameters(
            arity = "1..*",
            converter = Converter.class,
            paramLabel = "RESULT",
            description = "Results, in the order in which they are printed.")
    private List<Input> inputs = new ArrayList<>();

    @Option(
            names = "--markdown",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes all results to this file, as Markdown.")
    private @Nullable OutputFile markdown;

    @Option(
            names = "--publish",
            paramLabel = "FOLDER",
            description = "Also writes each result to this folder, under its name and small enough to be published:"
                    + " a line of a graph has at most " + Thinning.MAX_PUBLISHED
                    + " points, and figures have six digits.")
    private @Nullable Path published;

    @Override
    public Integer call() throws Exception {
        OutputFile page = markdown;
        for (Input input : inputs) {
            if (page != null && page.same(input.file())) {
                throw refused("--markdown", input.file(), "is one of the results; must be another file");
            }
        }
        Map<Path, ScenarioResult> copies = published == null ? Map.of() : copies(published);
        for (Map.Entry<Path, ScenarioResult> copy : copies.entrySet()) {
            new OutputFile(copy.getKey()).json(ResultFile.published(copy.getValue()));
        }
        if (page != null) {
            page.text(inputs.stream().map(input -> input.result().markdown()).collect(Collectors.joining("\n")));
        }
        PrintWriter out = out();
        for (Input input : inputs) {
            ScenarioResult result = input.result();
            out.println(result.title() + (result.complete() ? "" : " (interrupted)"));
            result.findings()
                    .forEach(finding -> out.println("  " + finding.verdict().words() + ": " + finding.claim()));
        }
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
            boolean page = markdown != null && target.same(markdown.path());
            if (page || inputs.stream().anyMatch(other -> target.same(other.file()))) {
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
