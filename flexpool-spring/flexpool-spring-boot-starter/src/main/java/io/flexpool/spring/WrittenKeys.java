// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.framework.WrittenKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

    private final Environment environment;
    private final PropertySourcesPlaceholdersResolver placeholders;

    WrittenKeys(Environment environment) {
        this.environment = environment;
        this.placeholders = new PropertySourcesPlaceholdersResolver(environment);
    }

    /**
     * The properties of each source, the source with the highest precedence first.
     *
     * @param known the keys to request from a source that cannot list its keys, for example JNDI
     */
    List<List<WrittenKey>> all(Collection<String> known) {
        List<List<WrittenKey>> all = new ArrayList<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            all.add(source instanceof IterableConfigurationPropertySource iterable ? of(iterable) : of(source, known));
        }
        return all;
    }

    private List<WrittenKey> of(ConfigurationPropertySource source, Collection<String> known) {
        List<WrittenKey> found = new ArrayList<>();
        for (String key : known) {
            WrittenKey written = written(source, ROOT.append(key));
            if (written != null) {
                found.add(written);
            }
        }
        return found;
    }

    private List<WrittenKey> of(IterableConfigurationPropertySource source) {
        List<WrittenKey> found = new ArrayList<>();
        Map<ConfigurationPropertyName, SortedMap<Integer, WrittenKey>> lists = new TreeMap<>();
        for (ConfigurationPropertyName name : source) {
            WrittenKey written =
                    ROOT.isAncestorOf(name) && !isOfKubernetes(source, name) ? written(source, name) : null;
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

    private @Nullable WrittenKey written(ConfigurationPropertySource source, ConfigurationPropertyName name) {
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
        return written(name, String.valueOf(value), origin, inText(property.getOrigin()));
    }

    /** Creates a key. A position in a file does not show the written spelling, unlike a variable's name. */
    private static WrittenKey written(ConfigurationPropertyName name, String value, String origin, boolean inText) {
        List<String> words = words(name);
        return new WrittenKey(ROOT + "." + String.join(".", words), words, value, origin, !inText);
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

    private static WrittenKey list(ConfigurationPropertyName name, SortedMap<Integer, WrittenKey> elements) {
        List<String> words = words(name);
        return WrittenKey.list(ROOT + "." + String.join(".", words), words, List.copyOf(elements.values()));
    }

    /** If a service is named flexpool-something, Kubernetes sets variables with this prefix in every container. */
    private static boolean isOfKubernetes(ConfigurationPropertySource source, ConfigurationPropertyName name) {
        boolean fromEnvironment = source.getUnderlyingSource() instanceof PropertySource<?> variables
                && variables.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
        return fromEnvironment
                && WrittenKey.isOfKubernetes(words(name).stream()
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .toList());
    }
}
