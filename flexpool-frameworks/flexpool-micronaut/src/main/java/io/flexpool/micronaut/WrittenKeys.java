// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.spi.Texts;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.core.naming.NameUtils;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties under {@code flexpool} in Micronaut's environment, as written. Micronaut takes an environment variable for every
 * property that it could be, of which all but one do not exist: so variables are read as they stand, and matched with the keys.
 */
final class WrittenKeys {
    private static final String PREFIX = "flexpool.";
    private static final String VARIABLE = "FLEXPOOL_";

    /** Set in every container of Kubernetes where a service is called flexpool or flexpool-something. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_.+)?)");

    private final Environment environment;

    WrittenKeys(Environment environment) {
        this.environment = environment;
    }

    /**
     * One key as it was written.
     *
     * @param words the parts between the dots after {@code flexpool}; of an environment variable every word
     * @param variable whether it is an environment variable
     * @param value with placeholders resolved; lists with commas between the elements
     * @param origin the property source, or the variable
     */
    record Written(List<String> words, boolean variable, String value, String origin) {
        /** The whole key. */
        String key() {
            return PREFIX + String.join(".", words);
        }

        /** The words from an index on: letters and digits only, lower case. */
        String relaxedFrom(int first) {
            return relaxed(String.join("", words.subList(first, words.size())));
        }
    }

    /** Letters and digits only, lower case: Micronaut writes a key's words with hyphens, and variables have none. */
    static String relaxed(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        name.toLowerCase(Locale.ROOT).chars().filter(Character::isLetterOrDigit).forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /** All of them, each once, with the value that holds. */
    Collection<Written> all() {
        Map<String, Written> found = new LinkedHashMap<>();
        environment.getPropertySources().stream()
                .sorted((one, other) -> Integer.compare(other.getOrder(), one.getOrder()))
                .forEach(source -> {
                    for (String name : source) {
                        Written written = written(source, name);
                        if (written != null) {
                            found.putIfAbsent(written.relaxedFrom(0), written);
                        }
                    }
                });
        return found.values();
    }

    private @Nullable Written written(PropertySource source, String name) {
        if (source.getConvention() == PropertyConvention.ENVIRONMENT_VARIABLE) {
            if (!name.startsWith(VARIABLE)
                    || OF_KUBERNETES.matcher(name.substring(VARIABLE.length())).matches()) {
                return null;
            }
            String[] words =
                    name.substring(VARIABLE.length()).toLowerCase(Locale.ROOT).split("_", -1);
            return new Written(List.of(words), true, text(source.get(name)), "environment variable " + name);
        }
        if (!name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
            return null;
        }
        String key = NameUtils.hyphenate(name, true);
        String[] words = key.substring(PREFIX.length()).split("\\.", -1);
        return new Written(
                List.of(words),
                false,
                text(source.get(name)),
                "property source '" + Texts.line(source.getName()) + "'");
    }

    private String text(@Nullable Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(this::text).collect(Collectors.joining(","));
        }
        String text = value == null ? "" : value.toString();
        return environment.getPlaceholderResolver().resolveRequiredPlaceholders(text);
    }
}
