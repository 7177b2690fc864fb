// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --quick} of a scenario, as a picocli mixin. Not thread-safe. */
public final class QuickForm {
    private static final String NOTE =
            "This was the quick form, to see that the scenario runs: its figures are not to be quoted.";

    @Option(
            names = "--quick",
            description = "A small form of the scenario that ends within a minute: to see that it runs, not to quote.")
    private boolean selected;

    /** Made by the command line parser. */
    public QuickForm() {}

    /**
     * Whether the small form was selected.
     *
     * @return true for a run that ends within a minute
     */
    public boolean selected() {
        return selected;
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
        return given != null ? given : selected ? small : usual;
    }

    /**
     * The notes of a report, after one that the run was the small form, if it was.
     *
     * @param quick whether it was
     * @param notes of the report
     * @return all of them
     */
    public static List<String> noted(boolean quick, String... notes) {
        return Stream.concat(quick ? Stream.of(NOTE) : Stream.empty(), Stream.of(notes))
                .toList();
    }
}
