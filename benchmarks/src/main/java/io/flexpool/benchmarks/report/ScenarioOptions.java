// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.OutputFile;
import io.flexpool.benchmarks.kit.SeedConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that every scenario has, as a picocli mixin, and the end that every scenario comes to. */
public final class ScenarioOptions {
    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec scenario;

    private @Nullable OutputFile json;

    private @Nullable OutputFile html;

    @Option(
            names = "--seed",
            converter = SeedConverter.class,
            defaultValue = "1",
            paramLabel = "N",
            description = "Of all that is left to chance: the order in which things are measured, simulated requests."
                    + " Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Mixin
    private QuickForm form = new QuickForm();

    /** Made by the command line parser. */
    public ScenarioOptions() {}

    @Option(
            names = "--json",
            converter = OutputFile.Converter.class,
            paramLabel = "FILE",
            description = "Also writes the result to this file, for the subcommand report and for programs.")
    void json(@Nullable OutputFile file) {
        json = file;
        check();
    }

    @Option(
            names = "--html",
            converter = OutputFile.PageConverter.class,
            paramLabel = "FILE",
            description = "Also writes the result to this file, as a page.")
    void html(@Nullable OutputFile file) {
        html = file;
        check();
    }

    /** Before anything runs: the page would take the place of the result. */
    private void check() {
        if (json != null && html != null && json.same(html.path())) {
            throw new ParameterException(
                    Objects.requireNonNull(scenario, "set by the command line parser")
                            .commandLine(),
                    "Invalid value for option '--html': '" + html.path() + "' is that of --json; must be another file");
        }
    }

    /**
     * Of all that is left to chance: the order in which things are measured, simulated requests.
     *
     * @return the same chance for the same seed
     */
    public long seed() {
        return seed;
    }

    /**
     * Whether the small form was selected.
     *
     * @return true for a run that ends within a minute
     */
    public boolean quick() {
        return form.selected();
    }

    /**
     * The value of an option whose default depends on the form.
     *
     * @param given what was given; null if nothing was
     * @param usual the default
     * @param small the default of the small form
     * @param <T> the option's type
     * @return the value that holds
     */
    public <T> T value(@Nullable T given, T usual, T small) {
        return form.value(given, usual, small);
    }

    /**
     * Prints the result and writes it to each file that was named.
     *
     * @param result what the scenario leaves behind
     * @param out the screen
     * @throws IOException if a file can no longer be written
     */
    public void publish(ScenarioResult result, PrintWriter out) throws IOException {
        result.print(out);
        if (json != null) {
            json.json(result.json());
        }
        if (html != null) {
            html.text(new ReportPage(List.of(result)).html());
        }
    }
}
