// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.config.PropertiesFile.Entry;
import io.flexpool.internal.config.Refusals.Given;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.pool.RefusedValueException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads properties into settings. {@code flexpool.<key>} holds for every pool, {@code flexpool.pools.<name>.<key>} for
 * the pool of that name and before the other. A later source holds before an earlier one. For one reading.
 *
 * <p>Everything that is wrong is refused, all of it together: unknown keys with the nearest known one, values that
 * cannot be read or are out of range, also those meant for another pool, and keys that lack the one they belong to.
 *
 * <p>A section for a pool of another name is no error: when one pool is built, it is unknown which others will be.
 * But if this pool has no section, and that name is nearly its own, it is noted in {@link Settings#nearlyMeant}. Names
 * that differ in digits alone are those of several pools.
 */
public final class ConfigReader {
    static final String PREFIX = "flexpool.";

    private final Settings settings;
    private final ConfigTable table;
    private final WrittenKey written;
    private final Problems problems;
    private final Map<String, Given> common = new LinkedHashMap<>();
    private final Map<String, Map<String, Given>> ofPools = new LinkedHashMap<>();
    /** Those whose values were refused. */
    private final Set<Given> bad = new HashSet<>();

    /** Whether a source, a key or a value could not be read. */
    private boolean unreadable;

    private String pool = "?";

    /** Reads into these settings. */
    public ConfigReader(Settings settings) {
        this.settings = settings;
        this.problems = settings.problems;
        this.table = new ConfigTable(settings.parts(), settings.providers);
        this.written = new WrittenKey(table.keys.keySet());
    }

    /**
     * Writes what the sources say into the settings.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public void read(List<ConfigSource> sources) {
        collect(sources);
        problems.throwIfAny();
    }

    /** The same, but leaves what is wrong in the settings' problems, to which checks that know the pool add theirs. */
    public void collect(List<ConfigSource> sources) {
        parse(sources);
        Refusals refusals = settings.refusals(pool);
        for (SettingKey key : table.settings()) {
            Given given = settings.properties.get(key.key().name());
            if (given != null) {
                settings.set(key, key.rule().read(given.value()));
            }
        }
        checkNeeds(pool, common);
        settings.classes =
                new ClassSettings(refusals, problems).read(settings.values.texts(CoreKey.CLASSES), settings.properties);
        new PropertyObjects(settings, table, refusals).make();
    }

    /** Refuses keys that have no effect, for the one that they belong to is given nowhere. */
    private void checkNeeds(String ofPool, Map<String, Given> all) {
        for (SettingKey key : table.settings()) {
            Given given = all.get(key.key().name());
            // A refused value does not show whether it needs the other key.
            SettingKey other = given == null || bad.contains(given) ? null : needs(key, given.text());
            if (given != null && other != null && !all.containsKey(other.key().name()) && !settings.values.has(other)) {
                ConfigKey its = other.key();
                problem(
                        ofPool,
                        key.key().name(),
                        given,
                        "needs " + PREFIX + its.name() + " too, which must be "
                                + (its.kind() == ConfigKey.Kind.FLAG ? "true" : its.allowed()));
            }
        }
    }

    /** The key without which this one has no effect with that value; null if there is none. */
    private @Nullable SettingKey needs(SettingKey key, String value) {
        if (key instanceof CoreKey core) {
            return core.needs(value);
        }
        String other = key.rule().needs();
        return other == null ? null : table.setting(other);
    }

    /**
     * Checks that each key is known, and that each value is of its kind; what does not need a pool. Nothing is made.
     *
     * @throws IllegalArgumentException naming all that is wrong; then also values out of range and keys that lack another,
     *     which alone are left to the building of the pools
     */
    public void check(List<ConfigSource> sources) {
        parse(sources);
        if (!unreadable) {
            return;
        }
        if (ofPools.isEmpty()) {
            checkNeeds(pool, common);
        }
        ofPools.forEach((name, keys) -> {
            // Without a section a key may lack another that every pool's section has.
            Map<String, Given> all = new HashMap<>(common);
            all.putAll(keys);
            checkNeeds(name, all);
        });
        problems.throwIfAny();
    }

    private void parse(List<ConfigSource> sources) {
        pool = Objects.requireNonNullElse(settings.name(), "?");
        List<Given> all = new ArrayList<>();
        for (ConfigSource source : sources) {
            all.addAll(given(source));
        }
        // Loops: each lambda of a first build is a class more to load.
        for (Given given : all) {
            nameClasses(given);
        }
        for (Given given : all) {
            sort(given);
        }
        Given named = common.get(CoreKey.NAME.key().name());
        if (named != null) {
            pool = named.text();
        }
        for (Map.Entry<String, Map<String, Given>> one : ofPools.entrySet()) {
            Map<String, Given> keys = one.getValue();
            if (!one.getKey().equals(pool)) {
                settings.classesElsewhere |=
                        keys.containsKey(CoreKey.CLASSES.key().name());
                keys.forEach((key, given) -> parse(one.getKey(), key, given));
                noteIfNearlyMeant(one.getKey(), keys.values().iterator().next());
            }
        }
        common.putAll(ofPools.getOrDefault(pool, Map.of()));
        for (Map.Entry<String, Given> one : common.entrySet()) {
            Given given = one.getValue();
            Object value = parse(pool, one.getKey(), given);
            if (value != null) {
                settings.properties.put(one.getKey(), new Given(given.key(), given.text(), given.origin(), value));
            }
        }
    }

    private List<Given> given(ConfigSource source) {
        List<Given> all = new ArrayList<>();
        Map<String, Entry> before = new HashMap<>();
        for (Entry entry : contents(source)) {
            String text = entry.value().strip();
            String origin = source.origin() + (entry.line() == 0 ? "" : ", line " + entry.line());
            Given given = new Given(entry.key(), text, origin, text);
            Entry first = before.putIfAbsent(entry.key(), entry);
            if (first != null) {
                unread(pool, null, given, "the key " + entry.key() + " is given twice, first in line " + first.line());
            }
            all.add(given);
        }
        return all;
    }

    /** A class has keys once it is named, for this pool or another one. */
    private void nameClasses(Given given) {
        String classes = CoreKey.CLASSES.key().name();
        String key = coreKey(given);
        boolean ofPool = key.startsWith(PREFIX + "pools.") && key.endsWith("." + classes);
        if (ofPool || key.equals(PREFIX + classes)) {
            Objects.requireNonNullElse(names(given.text()), List.<String>of())
                    .forEach(name -> ClassSettings.addKeys(name, table.keys));
        }
    }

    private List<Entry> contents(ConfigSource source) {
        try {
            return source.contents().read();
        } catch (IOException failed) {
            unreadable = true;
            // Without its cause, whose message may hold the password of a URL.
            problems.add(
                    (String) null,
                    new IllegalArgumentException(pool + ": the properties in " + source.origin() + " cannot be read: "
                            + Refusals.shown("", String.valueOf(failed))));
            return List.of();
        }
    }

    private void sort(Given given) {
        String key = coreKey(given);
        String rest = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : "";
        WrittenKey.OfPool ofPool = written.ofPool(rest);
        if (table.keys.containsKey(rest)) {
            common.put(rest, given);
        } else if (ofPool != null && !mayBeRemoved(given, ofPool)) {
            ofPools.computeIfAbsent(ofPool.pool(), any -> new LinkedHashMap<>()).put(ofPool.key(), given);
        } else {
            String instead = AbsentKeys.insteadOf(key);
            unread(pool, null, given, instead == null ? written.unknown(key) : "no such key; " + instead);
        }
    }

    /** A removed key may end with another one, and seem to be that of a pool with a longer name. */
    private boolean mayBeRemoved(Given given, WrittenKey.OfPool ofPool) {
        boolean longer = ofPool.pool().indexOf('.') >= 0 || given.key().startsWith(ConfigSource.VARIABLE);
        return longer && !ofPool.pool().equals(pool) && AbsentKeys.insteadOf(coreKey(given)) != null;
    }

    /** The key as files write it: a variable's name has neither hyphens nor dots. */
    private String coreKey(Given given) {
        if (!given.key().startsWith(ConfigSource.VARIABLE)) {
            return given.key();
        }
        String key = written.ofVariable(given.key(), pool);
        return key == null ? given.key().toLowerCase(Locale.ROOT).replace('_', '.') : PREFIX + key;
    }

    /** Once for each name: what was written first. */
    private void noteIfNearlyMeant(String name, Given given) {
        boolean numbered = name.replaceAll("\\d", "").equals(pool.replaceAll("\\d", ""));
        if (!ofPools.containsKey(pool) && !numbered && Words.alike(name, pool)) {
            settings.nearlyMeant.put(name, Refusals.written(given));
        }
    }

    private @Nullable Object parse(String ofPool, String name, Given given) {
        ConfigKey key = Objects.requireNonNull(table.keys.get(name), name);
        String text = given.text();
        // No switch: each has a table of its enum, which a first build would load as a class.
        Kind kind = key.kind();
        Object value = text;
        String noun = "";
        if (kind == Kind.FLAG) {
            value = (text.equals("true") || text.equals("false")) ? Boolean.valueOf(text) : null;
        } else if (kind == Kind.COUNT) {
            value = Words.wholeNumber(text);
            noun = "a whole number ";
        } else if (kind == Kind.DURATION) {
            value = Words.duration(text);
            noun = "a duration like 250ms, 30s or PT5M, ";
        } else if (kind == Kind.LIST) {
            value = names(text);
            noun = "a list without empty or repeated elements, of ";
        }
        if (value == null) {
            return unread(ofPool, name, given, "must be " + noun + key.allowed());
        }
        SettingKey setting = table.setting(name);
        if (setting == null) {
            return value;
        }
        try {
            setting.rule().read(value);
        } catch (RefusedValueException refused) {
            return problem(ofPool, name, given, refused.rule());
        }
        return setting.rule().inRange(value) || disabled(ofPool)
                ? value
                : problem(ofPool, name, given, "must be " + setting.rule().range());
    }

    /** Then a value only must be readable: the switch always works. */
    private boolean disabled(String ofPool) {
        String key = CoreKey.ENABLED.key().name();
        Given given = ofPools.getOrDefault(ofPool, Map.of()).getOrDefault(key, common.get(key));
        return given == null
                ? !settings.values.flag(CoreKey.ENABLED)
                : given.text().equals("false");
    }

    private static @Nullable List<String> names(String text) {
        List<String> names =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        return names.contains("") || Set.copyOf(names).size() < names.size() ? null : names;
    }

    /** The same of a key or a value that cannot be read. */
    private @Nullable Object unread(String ofPool, @Nullable String key, Given given, String rule) {
        unreadable = true;
        return problem(ofPool, key, given, rule);
    }

    /** Returns null, for there is no value. */
    private @Nullable Object problem(String ofPool, @Nullable String key, Given given, String rule) {
        bad.add(given);
        problems.add(
                ofPool.equals(pool) ? key : null,
                new IllegalArgumentException(Refusals.line(ofPool, given, given.text(), rule)));
        return null;
    }
}
