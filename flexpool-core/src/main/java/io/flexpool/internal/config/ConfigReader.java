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
 * Reads properties into settings. {@code flexpool.<key>} applies to every pool; {@code flexpool.pools.<name>.<key>}
 * applies to the pool of that name, and takes precedence. Later sources take precedence over earlier ones. For one
 * reading.
 *
 * <p>All problems are refused together, also those of another pool's section: unknown keys, with the nearest known key;
 * values that cannot be read or are out of range; keys without the key that they need.
 *
 * <p>A section for a pool of another name is no error, because other pools may be built later. But if this pool has no
 * section, and a similar name, the section is noted in {@link Settings#nearlyMeant}. Names that differ only in digits
 * count as different pools.
 */
public final class ConfigReader {
    static final String PREFIX = "flexpool.";
    /** Precedes the name of a pool with its own section. */
    static final String POOL_PREFIX = PREFIX + WrittenKey.POOLS;

    private static final String LINE = ", line ";

    private final Settings settings;
    private final ConfigTable table;
    private final WrittenKey written;
    private final Problems problems;
    private final Map<String, Given> common = new LinkedHashMap<>();
    private final Map<String, Map<String, Given>> ofPools = new LinkedHashMap<>();
    /** The given keys with refused values. */
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

    /** Writes the values of the sources into the settings, and the problems, to which the pool's checks add theirs. */
    public void read(List<ConfigSource> sources) {
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

    /** Refuses keys without effect, because the key that they need is not given. */
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

    /** The key that a key needs with a value; null without one. */
    private @Nullable SettingKey needs(SettingKey key, String value) {
        if (key instanceof CoreKey core) {
            return core.needs(value);
        }
        String other = key.rule().needs();
        return other == null ? null : table.parts.setting(other);
    }

    /**
     * Checks without a pool that each key is known, and that each value is of its kind. Creates nothing.
     *
     * @throws IllegalArgumentException if a key is unknown or a value cannot be read, naming all problems. Without
     *     such a problem, the build of the pools refuses values out of range and keys without the key that they need
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
            // Without a section, a key may need another key that every pool's section has.
            Map<String, Given> all = new HashMap<>(common);
            all.putAll(keys);
            checkNeeds(name, all);
        });
        problems.throwIfAny();
    }

    private void parse(List<ConfigSource> sources) {
        pool = Objects.requireNonNullElse(settings.name(), "?");
        List<List<Given>> all = new ArrayList<>();
        // Loops, because each lambda in the first build is one more class to load.
        for (ConfigSource source : sources) {
            List<Given> some = given(source);
            for (Given given : some) {
                nameClasses(given);
            }
            all.add(some);
        }
        for (List<Given> some : all) {
            Map<String, Given> before = new HashMap<>();
            for (Given given : some) {
                sort(given, coreKey(given), before);
            }
        }
        Given named = common.get(CoreKey.NAME.key().name());
        if (named != null) {
            pool = Settings.isName(named.text()) ? named.text() : "?";
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
        for (Entry entry : contents(source)) {
            String text = entry.value().strip();
            String origin = source.origin() + (entry.line() == 0 ? "" : LINE + entry.line());
            all.add(new Given(entry.key(), text, origin, text));
        }
        return all;
    }

    /** Adds the keys of the classes that a key names, for this pool or another pool. */
    private void nameClasses(Given given) {
        String classes = CoreKey.CLASSES.key().name();
        String key = coreKey(given);
        boolean ofPool = key.startsWith(POOL_PREFIX) && key.endsWith("." + classes);
        if (ofPool || key.equals(PREFIX + classes)) {
            for (String name : given.text().split(",", -1)) {
                ClassSettings.addKeys(name.strip(), table.keys);
            }
        }
    }

    private List<Entry> contents(ConfigSource source) {
        try {
            return source.contents().read();
        } catch (IOException failed) {
            unreadable = true;
            // Without the cause: its message may contain a URL's password.
            problems.add(
                    (String) null,
                    new IllegalArgumentException(pool + ": the properties in " + source.origin() + " cannot be read: "
                            + Refusals.shown("", String.valueOf(failed))));
            return List.of();
        }
    }

    /** Files may repeat a key; an environment may have several spellings of a key, of which no one takes precedence. */
    private void sort(Given given, String key, Map<String, Given> before) {
        Given first = before.putIfAbsent(key, given);
        if (first != null) {
            int line = first.origin().lastIndexOf(LINE);
            String place = line < 0
                    ? "also as " + first.key()
                    : "first in" + first.origin().substring(line + 1);
            unread(pool, null, given, Refusals.shown("", "the key " + key + " is given twice, " + place));
        }
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

    /** A removed key may end with another key, and seem to be a key of a pool with a longer name. */
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

    /** Notes the first key of each name. */
    private void noteIfNearlyMeant(String name, Given given) {
        boolean numbered = name.replaceAll("\\d", "").equals(pool.replaceAll("\\d", ""));
        if (!ofPools.containsKey(pool) && !numbered && Words.alike(name, pool)) {
            settings.nearlyMeant.put(name, Refusals.written(given));
        }
    }

    private @Nullable Object parse(String ofPool, String name, Given given) {
        ConfigKey key = Objects.requireNonNull(table.keys.get(name), name);
        String text = given.text();
        // No switch: a switch on an enum is one more class to load in the first build.
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
        String open = Refusals.placeholder(text);
        if (open != null && !disabled(ofPool)) {
            bad.add(given);
            // Only the placeholder is shown: the rest may contain a password.
            Given shown = new Given(given.key(), open, given.origin(), open);
            return problem(ofPool, name, shown, "the placeholder is not resolved");
        }
        SettingKey setting = table.parts.setting(name);
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

    /** Whether flexpool is disabled: then values only have to be readable, so that the switch always works. */
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

    /** As {@link #problem}, for an unreadable key or value. */
    private @Nullable Object unread(String ofPool, @Nullable String key, Given given, String rule) {
        unreadable = true;
        return problem(ofPool, key, given, rule);
    }

    /** Returns null in place of a value. */
    private @Nullable Object problem(String ofPool, @Nullable String key, Given given, String rule) {
        bad.add(given);
        problems.add(
                ofPool.equals(pool) ? key : null,
                new IllegalArgumentException(Refusals.line(ofPool, given, given.text(), rule)));
        return null;
    }
}
