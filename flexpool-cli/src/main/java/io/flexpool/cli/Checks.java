// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Refuses options of a command, each with its value and what is allowed. */
public final class Checks {
    private Checks() {}

    /**
     * Checks a whole number.
     *
     * @param value null if it is not given
     * @throws ParameterException if it is not within the bounds
     */
    public static void within(
            @Nullable CommandSpec command, String option, @Nullable Integer value, int least, int most) {
        if (value != null && (value < least || value > most)) {
            throw refused(command, option, value, "from " + least + " to " + most);
        }
    }

    /**
     * Checks that an option would have an effect.
     *
     * @param command set by the parser
     * @param source what is read
     * @param options their names
     * @throws ParameterException naming the first option that is given and has none
     */
    public static void unused(@Nullable CommandSpec command, String source, String... options) {
        for (String option : options) {
            if (Objects.requireNonNull(command).commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong(command, option + " has no effect on " + source + ": leave it out");
            }
        }
    }

    /**
     * Checks that options of the form NAME=VALUE do not name anything twice, of which the parser takes the last.
     *
     * @throws ParameterException naming the first that does
     */
    static void onceEach(@Nullable CommandSpec command, String... options) {
        for (String option : options) {
            Set<String> names = new HashSet<>();
            OptionSpec given = Objects.requireNonNull(command)
                    .commandLine()
                    .getParseResult()
                    .matchedOption(option);
            for (String value : given == null ? List.<String>of() : given.originalStringValues()) {
                String name = value.replaceFirst("=.*", "");
                if (!names.add(name)) {
                    throw wrong(command, option + " " + name + " is given twice");
                }
            }
        }
    }

    /** {@code --size = 0: must be from 1 to 100000}. */
    static ParameterException refused(@Nullable CommandSpec command, String option, Object value, String rule) {
        return wrong(command, option + " = " + value + ": must be " + rule);
    }

    /** For a message of another form. */
    public static ParameterException wrong(@Nullable CommandSpec command, String message) {
        return new ParameterException(
                Objects.requireNonNull(command, "set by the parser").commandLine(), message);
    }
}
