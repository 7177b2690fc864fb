// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Reads the properties under {@code flexpool} from Spring's environment, in any spelling, with their origin. */
final class WrittenKeys {
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("flexpool");

    private final PropertySourcesPlaceholdersResolver placeholders;

    WrittenKeys(Environment environment) {
        this.placeholders = new PropertySourcesPlaceholdersResolver(environment);
    }

    /**
     * One key as it was written.
     *
     * @param words the parts between the dots after {@code flexpool}; of an environment variable every word
     * @param value with placeholders resolved; lists separated by commas
     * @param origin file and line, or the source's name
     * @param inText whether the origin is a place in a file, which does not show how the key is spelt there
     */
    record Written(List<String> words, String value, String origin, boolean inText) {
        /** The whole key. */
        String key() {
            return ROOT + "." + String.join(".", words);
        }

        /**
         * The origin, with the key as written there if its spelling differs.
         *
         * @param key the whole key as core calls it
         */
        String origin(String key) {
            return inText && !key.equals(key()) ? key() + " in " + origin : origin;
        }

        /** The words from an index on, as relaxed binding compares: letters and digits only, lower case. */
        String relaxedFrom(int first) {
            return relaxed(String.join("", words.subList(first, words.size())));
        }
    }

    /** As relaxed binding compares: letters and digits only, lower case. */
    static String relaxed(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        name.toLowerCase(Locale.ROOT).chars().filter(Character::isLetterOrDigit).forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /**
     * All properties, those of the source with the highest precedence first.
     *
     * @param environment where to read them
     * @param known the keys to request from a source that cannot list its keys, such as JNDI; others are not found
     *     there
     * @param reader receives each property
     */
    static void read(Environment environment, Collection<String> known, Consumer<Written> reader) {
        WrittenKeys keys = new WrittenKeys(environment);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                keys.of(iterable).forEach(reader);
            } else {
                keys.of(source, known).forEach(reader);
            }
        }
    }

    private List<Written> of(ConfigurationPropertySource source, Collection<String> known) {
        List<Written> found = new ArrayList<>();
        for (String key : known) {
            Written written = written(source, ROOT.append(key));
            if (written != null) {
                found.add(written);
            }
        }
        return found;
    }

    private List<Written> of(IterableConfigurationPropertySource source) {
        List<Written> found = new ArrayList<>();
        Map<ConfigurationPropertyName, SortedMap<Integer, Written>> lists = new TreeMap<>();
        for (ConfigurationPropertyName name : source) {
            Written written = ROOT.isAncestorOf(name) && !isOfKubernetes(source, name) ? written(source, name) : null;
            if (written == null) {
                continue;
            }
            int last = name.getNumberOfElements() - 1;
            if (name.isNumericIndex(last)) {
                lists.computeIfAbsent(name.getParent(), any -> new TreeMap<>())
                        .put(Integer.parseInt(name.getElement(last, Form.ORIGINAL)), written);
            } else {
                found.add(written);
            }
        }
        lists.forEach((name, elements) -> found.add(list(name, elements)));
        return found;
    }

    private @Nullable Written written(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        if (property == null) {
            return null;
        }
        Object value = placeholders.resolvePlaceholders(property.getValue());
        String origin = property.getOrigin() != null
                ? property.getOrigin().toString()
                : source.getUnderlyingSource() instanceof PropertySource<?> named
                        ? "property source '" + named.getName() + "'"
                        : "Spring's environment";
        return new Written(words(name), String.valueOf(value), origin, inText(property.getOrigin()));
    }

    private static boolean inText(@Nullable Origin origin) {
        return origin instanceof TextResourceOrigin
                || (origin instanceof PropertySourceOrigin outer && outer.getOrigin() instanceof TextResourceOrigin);
    }

    private static List<String> words(ConfigurationPropertyName name) {
        List<String> words = new ArrayList<>();
        for (int at = ROOT.getNumberOfElements(); at < name.getNumberOfElements(); at++) {
            words.add(name.getElement(at, Form.ORIGINAL));
        }
        return words;
    }

    private static Written list(ConfigurationPropertyName name, SortedMap<Integer, Written> elements) {
        List<Written> inOrder = List.copyOf(elements.values());
        String values = inOrder.stream().map(Written::value).collect(Collectors.joining(","));
        Written first = inOrder.get(0);
        return new Written(words(name), values, first.origin(), first.inText());
    }

    /** If a service is named flexpool-something, Kubernetes sets variables with this prefix in every container. */
    private static boolean isOfKubernetes(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        boolean fromEnvironment = source.getUnderlyingSource() instanceof PropertySource<?> variables
                && variables.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        if (!fromEnvironment) {
            return false;
        }
        String all = String.join(".", words(name)).toLowerCase(Locale.ROOT);
        return all.matches("(.+\\.)?(service\\.host|service\\.port(\\..+)?|port(\\.\\d+\\..+)?)");
    }
}
