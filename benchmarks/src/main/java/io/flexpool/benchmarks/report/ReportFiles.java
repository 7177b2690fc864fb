// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that a report is also written to. A mixin; not thread-safe. */
public final class ReportFiles {
    @Option(
            names = "--json",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    private @Nullable OutputFile json;

    @Option(
            names = "--markdown",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes what is printed to this file, as Markdown.")
    private @Nullable OutputFile markdown;

    /** Made by the command line parser. */
    public ReportFiles() {}

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
