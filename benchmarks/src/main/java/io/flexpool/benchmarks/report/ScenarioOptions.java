// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.SeedConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that every scenario has, as a picocli mixin. Not thread-safe. */
public final class ScenarioOptions extends ReportFiles {
    @Option(
            names = "--seed",
            converter = SeedConverter.class,
            defaultValue = "1",
            paramLabel = "N",
            description = "Of all that is left to chance: the order in which things are measured, simulated requests."
                    + " Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--quick",
            description = "A small form of the scenario that ends within a minute: to see that it runs, not to quote.")
    private boolean quick;

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
        return quick;
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
        return given != null ? given : quick ? small : usual;
    }
}
