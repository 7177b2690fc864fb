// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.WrittenKey;
import io.flexpool.spi.Texts;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.core.naming.NameUtils;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties under {@code flexpool} in Micronaut's environment, as written. Micronaut maps an environment
 * variable to every possible property, most of which do not exist. So this class reads the variables themselves, and
 * matches them with the keys.
 */
final class WrittenKeys {
    private static final String PREFIX = "flexpool.";
    private static final String VARIABLE = "FLEXPOOL_";

    private final Environment environment;

    WrittenKeys(Environment environment) {
        this.environment = environment;
    }

    /** The keys of each source, the source with the highest precedence first. */
    List<List<WrittenKey>> all() {
        return environment.getPropertySources().stream()
                .sorted((one, other) -> Integer.compare(other.getOrder(), one.getOrder()))
                .map(this::of)
                .toList();
    }

    private List<WrittenKey> of(PropertySource source) {
        List<WrittenKey> found = new ArrayList<>();
        for (String name : source) {
            WrittenKey written = written(source, name);
            if (written != null) {
                found.add(written);
            }
        }
        return found;
    }

    private @Nullable WrittenKey written(PropertySource source, String name) {
        if (source.getConvention() == PropertyConvention.ENVIRONMENT_VARIABLE) {
            if (!name.startsWith(VARIABLE)) {
                return null;
            }
            String words = name.substring(VARIABLE.length()).toLowerCase(Locale.ROOT);
            return written(words, "_", source, name, "environment variable " + name, true);
        }
        if (!name.toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
            return null;
        }
        String words = NameUtils.hyphenate(name, true).substring(PREFIX.length());
        return written(words, "\\.", source, name, "property source '" + Texts.line(source.getName()) + "'", false);
    }

    private @Nullable WrittenKey written(
            String text, String between, PropertySource source, String name, String origin, boolean variable) {
        List<String> words = List.of(text.split(between, -1));
        String written = variable ? PREFIX + String.join(".", words) : name;
        return variable && WrittenKey.isOfKubernetes(words)
                ? null
                : new WrittenKey(written, words, text(source.get(name)), origin, variable);
    }

    private String text(@Nullable Object value) {
        if (value instanceof Collection<?> list) {
            return list.stream().map(this::text).collect(Collectors.joining(","));
        }
        String text = value == null ? "" : value.toString();
        return environment.getPlaceholderResolver().resolveRequiredPlaceholders(text);
    }
}
