// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.config.Refusals.Given;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.pool.RefusedValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads properties into settings. {@code flexpool.<key>} holds for every pool, {@code flexpool.pools.<name>.<key>} for
 * the pool of that name and before the other. A later source holds before an earlier one. For one reading.
 *
 * <p>Everything that is wrong is refused, all of it in one message: unknown keys with the nearest known one, values that
 * cannot be read, also those meant for another pool.
 */
public final class ConfigReader {
    static final String PREFIX = "flexpool.";
    private static final String POOLS = "pools.";

    private final Settings settings;
    private final ConfigTable table;
    private final Map<String, Given> common = new LinkedHashMap<>();
    private final Map<String, Map<String, Given>> ofPools = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private String pool = "";

    /** Reads into these settings. */
    public ConfigReader(Settings settings) {
        this.settings = settings;
        this.table = new ConfigTable(settings.providers);
    }

    /**
     * Writes what the sources say into the settings.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public void read(List<ConfigSource> sources) {
        check(sources);
        Refusals refusals = settings.refusals(pool);
        for (CoreKey key : CoreKey.values()) {
            Given given = settings.properties.get(key.key().name());
            if (given != null) {
                settings.set(key, read(key, given.value(), refusals));
            }
        }
        for (CoreKey key : CoreKey.values()) {
            CoreKey other = key.needs();
            if (other != null && settings.values.has(key) && !settings.values.has(other)) {
                throw refusals.of(key, settings.values.need(key, Object.class), needs(other));
            }
        }
        new PropertyObjects(settings, table, refusals).make();
    }

    private static Object read(CoreKey key, Object value, Refusals refusals) {
        try {
            return key.rule().read(value);
        } catch (RefusedValueException refused) {
            throw refusals.of(key, value, refused.rule());
        }
    }

    static String needs(CoreKey other) {
        ConfigKey key = other.key();
        return "needs " + PREFIX + key.name() + " too, which must be "
                + (key.kind() == ConfigKey.Kind.FLAG ? "true" : key.allowed());
    }

    /**
     * Checks keys, and that each value can be read; what does not need a pool. Nothing is made.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public void check(List<ConfigSource> sources) {
        pool = Objects.requireNonNullElse(settings.name(), "?");
        for (ConfigSource source : sources) {
            contents(source).forEach((key, value) -> {
                String text = value.strip();
                sort(new Given(key, text, source.origin(), text));
            });
        }
        Given named = common.get(CoreKey.NAME.key().name());
        if (named != null) {
            pool = named.text();
        }
        ofPools.forEach((name, keys) -> {
            if (!name.equals(pool)) {
                keys.forEach(this::parse);
            }
        });
        common.putAll(ofPools.getOrDefault(pool, Map.of()));
        common.forEach((key, given) -> {
            Object value = parse(key, given);
            if (value != null) {
                settings.properties.put(key, new Given(given.key(), given.text(), given.origin(), value));
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), problems));
        }
    }

    private Map<String, String> contents(ConfigSource source) {
        try {
            return source.contents().read();
        } catch (IOException unreadable) {
            // Without its cause, whose message may hold the password of a URL.
            throw new IllegalArgumentException("flexpool '" + pool + "': the properties in " + source.origin()
                    + " cannot be read: " + Refusals.shown("", String.valueOf(unreadable)));
        }
    }

    private void sort(Given given) {
        String written = given.key();
        String instead = CoreKey.insteadOf(written);
        String rest = written.startsWith(PREFIX) ? written.substring(PREFIX.length()) : "";
        String ofPool = rest.startsWith(POOLS) ? keyAtTheEnd(rest) : null;
        if (instead != null) {
            problem(given, "no such key; " + instead);
        } else if (table.keys.containsKey(rest)) {
            common.put(rest, given);
        } else if (ofPool != null && !ofPool.equals(CoreKey.NAME.key().name())) {
            String name = rest.substring(POOLS.length(), rest.length() - ofPool.length() - 1);
            ofPools.computeIfAbsent(name, any -> new LinkedHashMap<>()).put(ofPool, given);
        } else {
            List<String> known =
                    table.keys.keySet().stream().map(key -> PREFIX + key).toList();
            problem(given, "no such key; the nearest is " + Words.nearest(written, known));
        }
    }

    /** A pool's name may hold dots, so the longest known key at the end counts. */
    private @Nullable String keyAtTheEnd(String rest) {
        return table.keys.keySet().stream()
                .filter(key -> rest.endsWith("." + key) && rest.length() > POOLS.length() + key.length() + 1)
                .max(Comparator.comparingInt(String::length))
                .orElse(null);
    }

    private @Nullable Object parse(String name, Given given) {
        ConfigKey key = Objects.requireNonNull(table.keys.get(name), name);
        String text = given.text();
        Object value = switch (key.kind()) {
            case TEXT -> text;
            case FLAG -> List.of("true", "false").contains(text) ? Boolean.valueOf(text) : null;
            case COUNT -> count(text);
            case DURATION -> Words.duration(text);
            case LIST -> names(text);
        };
        if (value == null) {
            String kind = switch (key.kind()) {
                case COUNT -> "a whole number ";
                case DURATION -> "a duration like 250ms, 30s or PT5M, ";
                case LIST -> "a list, none empty and none twice, of ";
                case TEXT, FLAG -> "";
            };
            problem(given, "must be " + kind + key.allowed());
        }
        return value;
    }

    private static @Nullable Integer count(String text) {
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException notOne) {
            return null;
        }
    }

    private static @Nullable List<String> names(String text) {
        List<String> names =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        return names.contains("") || Set.copyOf(names).size() < names.size() ? null : names;
    }

    private void problem(Given given, String rule) {
        problems.add(Refusals.line(pool, given, given.text(), rule));
    }
}
