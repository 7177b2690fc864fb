// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.lang.reflect.AnnotatedElement;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * What all options of the same type have in common, so that none has to say it. Where it has no converter of its own: a
 * number is within the option's {@link Range}, and a constant is given by its {@linkplain NameConverter name}. One that
 * takes several values takes them separated by commas. The description of one with a default value ends with it.
 * A command's {@code modelTransformer}.
 */
public final class OptionRules implements IModelTransformer {
    private static final String DEFAULT = " Default: ";

    @Override
    public CommandSpec transform(CommandSpec command) {
        List<OptionSpec> options = List.copyOf(command.options());
        // All of them, because help lists them in the order in which they were added.
        options.forEach(command::remove);
        options.forEach(option -> command.addOption(ruled(option)));
        return command;
    }

    private static OptionSpec ruled(OptionSpec option) {
        OptionSpec.Builder ruled = OptionSpec.builder(option);
        ITypeConverter<?> converter = option.converters().length > 0 ? null : converter(option);
        if (converter != null) {
            ruled.converters(converter);
            ruled.paramLabel(label(option));
        }
        if (option.isMultiValue()) {
            ruled.splitRegex(",");
        }
        if (option.defaultValue() != null
                && Stream.of(option.description()).noneMatch(line -> line.contains(DEFAULT))) {
            ruled.description(String.join("", option.description()) + DEFAULT + "${DEFAULT-VALUE}.");
        }
        return ruled.build();
    }

    /** One that was given stays; a constant is called as the option is, in the singular. */
    private static String label(OptionSpec option) {
        if (!option.paramLabel().startsWith("<")) {
            return option.paramLabel();
        }
        Class<?> type = option.auxiliaryTypes()[0];
        if (!type.isEnum()) {
            return type == double.class ? "X" : "N";
        }
        String name = option.longestName().substring(2).toUpperCase(Locale.ROOT);
        return name.endsWith("S") ? name.substring(0, name.length() - 1) : name;
    }

    private static @Nullable ITypeConverter<?> converter(OptionSpec option) {
        Class<?> type = option.auxiliaryTypes()[0];
        if (type.isEnum()) {
            return names(type);
        }
        if (type == long.class) {
            return new SeedConverter();
        }
        Range range = option.userObject() instanceof AnnotatedElement field ? field.getAnnotation(Range.class) : null;
        if (range == null) {
            return null;
        }
        boolean whole = type == int.class || type == Integer.class;
        return whole ? within(range, Integer::valueOf, "a whole number") : within(range, Double::valueOf, "a number");
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // all that is known of the class is that it is an enum's
    private static ITypeConverter<?> names(Class<?> type) {
        return new NameConverter(type);
    }

    private static <N extends Number> ITypeConverter<N> within(Range range, Function<String, N> read, String what) {
        return value -> {
            try {
                N number = read.apply(value);
                if (number.doubleValue() >= range.min() && number.doubleValue() <= range.max()) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Refused below, in the same words as a number out of range.
            }
            throw new TypeConversionException(
                    "'" + value + "' must be " + what + " from " + plain(range.min()) + " to " + plain(range.max()));
        };
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
