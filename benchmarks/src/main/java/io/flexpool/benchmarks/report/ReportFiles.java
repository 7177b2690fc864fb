// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The files that a report is also written to. A mixin; not thread-safe. */
public class ReportFiles {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec scenario;

    private @Nullable OutputFile json;
    private @Nullable OutputFile markdown;

    @Option(
            names = "--json",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    void json(@Nullable OutputFile file) {
        json = file;
        check();
    }

    @Option(
            names = "--markdown",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes what is printed to this file, as Markdown.")
    void markdown(@Nullable OutputFile file) {
        markdown = file;
        check();
    }

    /** Before anything runs: one file would take the place of the other. */
    private void check() {
        if (json != null && markdown != null && json.same(markdown.path())) {
            throw new ParameterException(
                    Objects.requireNonNull(scenario, "set by the command line parser")
                            .commandLine(),
                    "Invalid value for option '--markdown': '" + markdown.path()
                            + "' is that of --json; must be another file");
        }
    }

    /**
     * Prints the report and writes it to each file that was named.
     *
     * @param report what the scenario leaves behind
     * @param out the screen
     * @throws IOException if a file can no longer be written
     */
    public void publish(Report report, PrintWriter out) throws IOException {
        report.print(out);
        if (json != null) {
            json.json(report.json());
        }
        if (markdown != null) {
            markdown.text(report.markdown());
        }
    }
}
