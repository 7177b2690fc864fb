// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where a report goes besides the screen, as a picocli mixin. */
public final class ReportFiles {
    @Option(
            names = "--json",
            converter = JsonFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the figures to this file.")
    private @Nullable JsonFile json;

    @Option(
            names = "--markdown",
            converter = MarkdownFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes what is printed to this file, as Markdown.")
    private @Nullable MarkdownFile markdown;

    /** Made by the command line parser. */
    public ReportFiles() {}

    /**
     * Writes the report to each file that was named.
     *
     * @param report a record
     * @throws IOException if a file can no longer be written
     */
    public void write(Report report) throws IOException {
        if (json != null) {
            json.write(report);
        }
        if (markdown != null) {
            markdown.write(report);
        }
    }
}
