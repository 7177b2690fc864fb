// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.HtmlFile;
import io.flexpool.benchmarks.kit.JsonFile;
import io.flexpool.benchmarks.kit.SeedConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every scenario has, as a picocli mixin, and the end that every scenario comes to. */
public final class ScenarioOptions {
    @Option(
            names = "--json",
            converter = JsonFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the result to this file, for the subcommand report and for programs.")
    private @Nullable JsonFile json;

    @Option(
            names = "--html",
            converter = HtmlFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the result to this file, as a page to look at.")
    private @Nullable HtmlFile html;

    @Option(
            names = "--seed",
            converter = SeedConverter.class,
            defaultValue = "1",
            paramLabel = "N",
            description = "Of the order in which things are measured. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--quick",
            description = "A small form of the scenario that ends within a minute: to see that it runs, not to quote.")
    private boolean quick;

    /** Made by the command line parser. */
    public ScenarioOptions() {}

    /**
     * Of the order in which things are measured.
     *
     * @return the same order for the same seed
     */
    public long seed() {
        return seed;
    }

    /**
     * Whether the small form was asked for.
     *
     * @return true for a run that ends within a minute
     */
    public boolean quick() {
        return quick;
    }

    /**
     * Prints the result and writes it to each file that was named.
     *
     * @param result what the scenario leaves behind
     * @param out the screen
     * @throws IOException if a file can no longer be written
     */
    public void publish(ScenarioResult result, PrintWriter out) throws IOException {
        ResultText.print(result, out);
        if (json != null) {
            json.write(ResultFile.tree(result));
        }
        if (html != null) {
            html.write(new ReportPage(List.of(result)).html());
        }
    }
}
