// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a scenario's name, in any case; refuses others with the list of all names and the nearest one. */
final class ScenarioConverter implements ITypeConverter<String> {
    /** All names, in order. */
    static List<String> names() {
        return Stream.of(Scenarios.ALL, NewScenarios.ALL, HardScenarios.ALL)
                .flatMap(List::stream)
                .map(Scenario::name)
                .toList();
    }

    @Override
    public String convert(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        if (names().contains(small)) {
            return small;
        }
        throw new TypeConversionException(
                "'" + name + "' must be one of " + String.join(", ", names()) + Nearest.words(name, names()));
    }

    /** For the help. */
    static final class Names extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        Names() {
            super(names());
        }
    }
}
