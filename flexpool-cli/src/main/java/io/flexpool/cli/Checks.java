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

/** Refuses options of a command; messages have the value and the allowed values. */
public final class Checks {
    private Checks() {}

    /**
     * Checks a whole number.
     *
     * @param value the value; null if not given
     * @throws ParameterException if the value is outside the bounds
     */
    public static void within(
            @Nullable CommandSpec command, String option, @Nullable Integer value, int least, int most) {
        if (value != null && (value < least || value > most)) {
            throw refused(command, option, value, "from " + least + " to " + most);
        }
    }

    /**
     * Refuses options that would have no effect.
     *
     * @param command the command, set by the parser
     * @param source the source that is read, for the message
     * @param options the names of the options
     * @throws ParameterException if one is given; the message names the first
     */
    public static void unused(@Nullable CommandSpec command, String source, String... options) {
        for (String option : options) {
            if (Objects.requireNonNull(command).commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong(command, option + " has no effect on " + source + ": leave it out");
            }
        }
    }

    /**
     * Refuses options of the form NAME=VALUE with a repeated name: the parser would silently use the last.
     *
     * @throws ParameterException if a name is repeated; the message names the first
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

    /** An exception with a message such as {@code --size = 0: must be from 1 to 100000}. */
    static ParameterException refused(@Nullable CommandSpec command, String option, Object value, String rule) {
        return wrong(command, option + " = " + value + ": must be " + rule);
    }

    /** An exception with a free message. */
    public static ParameterException wrong(@Nullable CommandSpec command, String message) {
        return new ParameterException(
                Objects.requireNonNull(command, "set by the parser").commandLine(), message);
    }
}
