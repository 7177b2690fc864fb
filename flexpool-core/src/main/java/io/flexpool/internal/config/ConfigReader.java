// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.pool.RefusedValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads properties into settings. {@code flexpool.<key>} holds for every pool, {@code flexpool.pools.<name>.<key>} for
 * the pool of that name and before the other. A later source holds before an earlier one.
 *
 * <p>Everything that is wrong is refused, all of it in one message: unknown keys with the nearest known one, values that
 * cannot be read, also those meant for another pool.
 */
public final class ConfigReader {
    static final String PREFIX = "flexpool.";
    private static final String POOLS = "pools.";

    private final ConfigTable table;
    private final List<String> problems = new ArrayList<>();
    private String pool = "";

    public ConfigReader(ConfigTable table) {
        this.table = table;
    }

    private record Given(String written, String value, String origin) {
        GivenProperty read(Object as) {
            return new GivenProperty(written, value, origin, as);
        }
    }

    /**
     * Writes what the sources say into the settings.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public void read(List<ConfigSource> sources, Settings settings) {
        Map<String, Object> ofBackends = values(sources, settings);
        Refusals refusals = settings.refusals(pool);
        for (CoreKey key : CoreKey.values()) {
            Object value = ofBackends.remove(key.key().name());
            if (value != null) {
                settings.set(key, read(key, value, refusals));
            }
        }
        for (CoreKey key : CoreKey.values()) {
            checkNeeds(key, settings, refusals);
        }
        new PropertyObjects(settings, table, pool).make(ofBackends);
    }

    private static Object read(CoreKey key, Object value, Refusals refusals) {
        try {
            return key.rule().read().apply(value);
        } catch (RefusedValueException refused) {
            throw refusals.of(key, value, refused.rule());
        }
    }

    private static void checkNeeds(CoreKey key, Settings settings, Refusals refusals) {
        CoreKey other = key.needs();
        if (other != null && settings.values.has(key) && !settings.values.has(other)) {
            throw refusals.of(key, settings.values.need(key, Object.class), needs(other));
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
    public void check(List<ConfigSource> sources, Settings settings) {
        values(sources, settings);
    }

    private Map<String, Object> values(List<ConfigSource> sources, Settings settings) {
        Map<String, Given> common = new LinkedHashMap<>();
        Map<String, Map<String, Given>> ofPools = new LinkedHashMap<>();
        String given = settings.name();
        pool = given == null ? "?" : given;
        for (ConfigSource source : sources) {
            contents(source).forEach((written, value) -> {
                sort(new Given(written, value.strip(), source.origin()), common, ofPools);
            });
        }
        Given named = common.get(CoreKey.NAME.key().name());
        if (named != null) {
            pool = named.value();
        }
        ofPools.forEach((name, keys) -> {
            if (!name.equals(pool)) {
                keys.forEach(this::parse);
            }
        });
        common.putAll(ofPools.getOrDefault(pool, Map.of()));
        Map<String, Object> values = new LinkedHashMap<>();
        common.forEach((key, property) -> {
            Object value = parse(key, property);
            if (value != null) {
                values.put(key, value);
                settings.properties.put(key, property.read(value));
            }
        });
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), problems));
        }
        return values;
    }

    private Map<String, String> contents(ConfigSource source) {
        try {
            return source.read();
        } catch (IOException unreadable) {
            // Without its cause, whose message may hold the password of a URL.
            throw new IllegalArgumentException("flexpool '" + pool + "': the properties in " + source.origin()
                    + " cannot be read: " + BadConfiguration.shown("", String.valueOf(unreadable)));
        }
    }

    private void sort(Given given, Map<String, Given> common, Map<String, Map<String, Given>> ofPools) {
        String instead = CoreKey.insteadOf(given.written());
        if (instead != null) {
            problem(given, "no such key; " + instead);
            return;
        }
        if (given.written().startsWith(PREFIX)) {
            String rest = given.written().substring(PREFIX.length());
            if (table.key(rest) != null) {
                common.put(rest, given);
                return;
            }
            String key = rest.startsWith(POOLS) ? keyAtTheEnd(rest) : null;
            if (key != null && !key.equals(CoreKey.NAME.key().name())) {
                String name = rest.substring(POOLS.length(), rest.length() - key.length() - 1);
                ofPools.computeIfAbsent(name, any -> new LinkedHashMap<>()).put(key, given);
                return;
            }
        }
        List<String> known =
                table.keys().stream().map(one -> PREFIX + one.name()).toList();
        problem(given, "no such key; the nearest is " + Words.nearest(given.written(), known));
    }

    /** A pool's name may hold dots, so the longest known key at the end counts. */
    private @Nullable String keyAtTheEnd(String rest) {
        String longest = null;
        for (ConfigKey key : table.keys()) {
            boolean fits = rest.endsWith("." + key.name())
                    && rest.length() > POOLS.length() + key.name().length() + 1;
            if (fits && (longest == null || key.name().length() > longest.length())) {
                longest = key.name();
            }
        }
        return longest;
    }

    private @Nullable Object parse(String name, Given given) {
        ConfigKey key = table.key(name);
        if (key == null) {
            return null;
        }
        Object value = switch (key.kind()) {
            case TEXT -> given.value();
            case FLAG -> flag(given.value());
            case COUNT -> count(given.value());
            case DURATION -> Words.duration(given.value());
            case LIST -> names(given.value());
        };
        if (value == null) {
            problem(given, "must be " + kind(key.kind()) + key.allowed());
        }
        return value;
    }

    private static String kind(ConfigKey.Kind kind) {
        return switch (kind) {
            case COUNT -> "a whole number ";
            case DURATION -> "a duration like 250ms, 30s or PT5M, ";
            case LIST -> "a list, none empty and none twice, of ";
            case TEXT, FLAG -> "";
        };
    }

    private static @Nullable Boolean flag(String text) {
        return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
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
        boolean twice = names.stream().distinct().count() < names.size();
        return twice || names.stream().anyMatch(String::isEmpty) ? null : names;
    }

    private void problem(Given given, String rule) {
        problems.add(BadConfiguration.line(pool, given.written(), given.value(), rule, given.origin()));
    }
}
