// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all subcommands have in common: help, the {@linkplain OptionRules rules} of their options, a screen. */
@Command(modelTransformer = OptionRules.class, mixinStandardHelpOptions = true, sortOptions = false)
public abstract class Subcommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    private CommandLine commandLine() {
        return Objects.requireNonNull(spec, "set by the command line parser").commandLine();
    }

    /**
     * The screen.
     *
     * @return where results are printed
     */
    protected final PrintWriter out() {
        return commandLine().getOut();
    }

    /**
     * How to repeat the run.
     *
     * @return the arguments, with the subcommand's name
     */
    protected final List<String> arguments() {
        return commandLine().getParseResult().originalArgs();
    }

    /**
     * What was given to an option.
     *
     * @param option its name, with the hyphens
     * @return as many values as were given, as they were given
     */
    protected final List<String> given(String option) {
        OptionSpec matched = commandLine().getParseResult().matchedOption(option);
        return matched == null ? List.of() : matched.originalStringValues();
    }

    /** {@link #refused(String, Object, String)}, for the options of a mixin. */
    public interface Refusal {
        /**
         * Refuses a value.
         *
         * @param option its name, with the hyphens
         * @param value what was given
         * @param rule what it must be
         * @return to be thrown
         */
        ParameterException of(String option, Object value, String rule);
    }

    /**
     * Refuses what only shows once all options are read.
     *
     * @param option its name, with the hyphens
     * @param value what was given
     * @param rule what it must be, as in {@code must not be below --base, 20}
     * @return to be thrown
     */
    protected final ParameterException refused(String option, Object value, String rule) {
        return refused("Invalid value for option '" + option + "': '" + value + "' " + rule);
    }

    /**
     * Refuses options that do not fit together.
     *
     * @param message which, and why
     * @return to be thrown
     */
    protected final ParameterException refused(String message) {
        return new ParameterException(commandLine(), message);
    }

    /**
     * Several values in one.
     *
     * @param values in their order
     * @return as they would be given on the command line
     */
    protected static String joined(Collection<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }
}
