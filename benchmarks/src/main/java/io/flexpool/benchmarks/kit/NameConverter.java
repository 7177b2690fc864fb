// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads one of an enum's values by the name it shows, in any case; refuses others with the list of all names and
 * the nearest one.
 *
 * @param <E> the enum
 */
public final class NameConverter<E extends Enum<E>> implements ITypeConverter<E> {
    private final List<E> values;

    /**
     * For one enum.
     *
     * @param type the enum
     */
    public NameConverter(Class<E> type) {
        values = Arrays.asList(type.getEnumConstants());
    }

    @Override
    public E convert(String name) {
        return values.stream()
                .filter(value -> value.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + name + "' must be one of "
                        + values.stream().map(E::toString).collect(Collectors.joining(", "))
                        + Nearest.words(name, values.stream().map(E::toString).toList())));
    }
}
