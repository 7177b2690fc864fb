// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolBuilder.FrameworkSettings;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * The {@code quarkus.flexpool.*} keys of an application. Keys and checks are core's; this class maps what was written, in
 * files or in environment variables, to core's spelling. Immutable.
 */
final class FlexPoolKeys {
    private static final String CORE = "flexpool.";
    private static final String POOLS = "pools";
    private static final String CLASSES = "classes";
    /** Core's keys in core's messages; not those that stand in the application's spelling already. */
    private static final Pattern IN_CORE = Pattern.compile("(?<![\\w.-])flexpool\\.(?=[a-z])");

    /** A source in the text that SmallRye has for most of its kinds. */
    private static final Pattern SOURCE = Pattern.compile("\\w+\\[source=(.+)]");

    /** Core's keys that say which pool is meant. */
    private static final Map<String, String> NOT_HERE = new TreeMap<>(Map.of(
            "name", "pools have the names of their datasources",
            "data-source.jndi-name", "pools are the application's datasources"));

    private final Config config;
    /** In core's spelling, by the relaxed one. */
    private final Map<String, String> known = new LinkedHashMap<>();
    /** By core's key. */
    private final Map<String, Given> common = new LinkedHashMap<>();
    /** By pool and core's key, both relaxed. */
    private final Map<String, OfPool> ofPools = new LinkedHashMap<>();
    /** Refused by core, which names the nearest key. By the relaxed name, for the environment is listed in two spellings. */
    private final Map<String, Given> unknown = new LinkedHashMap<>();

    private record Given(WrittenKey key, String value, String source) {
        String origin() {
            return key.name() + " in " + source;
        }
    }

    private record OfPool(String pool, String key, Given given) {}

    /** Reads the configuration. Refuses nothing yet. */
    FlexPoolKeys(Config config) {
        this.config = config;
        FlexPool.configurationKeys().forEach(key -> known.put(WrittenKey.relaxed(key.name()), key.name()));
        List<WrittenKey> written = new ArrayList<>();
        for (String name : config.getPropertyNames()) {
            WrittenKey key = WrittenKey.of(name);
            if (key != null) {
                written.add(key);
            }
        }
        written.forEach(this::sort);
    }

    private void sort(WrittenKey key) {
        String whole = coreKey(key, 0);
        if (whole != null) {
            given(key, whole).ifPresent(given -> common.putIfAbsent(whole, given));
            return;
        }
        boolean ofPool = WrittenKey.relaxed(key.words().get(0)).equals(POOLS);
        // The longest key, because a name may have dots, and environment variables separate every word.
        for (int from = 2; ofPool && from < key.words().size(); from++) {
            String its = coreKey(key, from);
            if (its != null && !NOT_HERE.containsKey(its)) {
                String pool = String.join(".", key.words().subList(1, from));
                given(key, POOLS + "." + quoted(pool) + "." + its)
                        .ifPresent(given -> ofPools.putIfAbsent(
                                WrittenKey.relaxed(pool) + '/' + its, new OfPool(pool, its, given)));
                return;
            }
        }
        given(key, key.from(0)).ifPresent(given -> unknown.putIfAbsent(WrittenKey.relaxed(key.from(0)), given));
    }

    /** As core spells it; null if it knows none. Those of a class have its name in the middle, which core checks. */
    private @Nullable String coreKey(WrittenKey key, int from) {
        String found = known.get(WrittenKey.relaxed(key.from(from)));
        boolean ofClass = key.words().size() - from > 2 && key.words().get(from).equals(CLASSES);
        return found != null ? found : ofClass ? key.from(from) : null;
    }

    /** A file's spelling stands for the environment's too: only by it Quarkus finds which source goes before which. */
    private Optional<Given> given(WrittenKey key, String whole) {
        ConfigValue value = config.getConfigValue(WrittenKey.PREFIX + whole);
        if (value.getValue() == null) {
            value = config.getConfigValue(key.name());
        }
        String text = value.getValue();
        return text == null ? Optional.empty() : Optional.of(new Given(key, text, source(value.getSourceName())));
    }

    private static String source(@Nullable String name) {
        return name == null ? "the configuration" : SOURCE.matcher(name).replaceFirst("$1");
    }

    private static String quoted(String pool) {
        return pool.indexOf('.') < 0 ? pool : '"' + pool + '"';
    }

    /**
     * What can be refused before a pool exists: unknown keys and pools, and values of the wrong kind.
     *
     * @param pools the names of all pools of the application
     * @return a line each, empty if nothing is wrong
     */
    List<String> problems(Collection<String> pools) {
        List<String> wrong = new ArrayList<>();
        NOT_HERE.forEach((key, rule) -> {
            Given given = common.get(key);
            if (given != null) {
                wrong.add(given.key().refused(given.value(), rule) + " (" + given.source() + ")");
            }
        });
        if (pools.stream().distinct().count() < pools.size()) {
            wrong.add("the pools of two datasources would have one name: the default datasource, and the one that is"
                    + " called default; rename the latter");
        }
        for (OfPool of : ofPools.values()) {
            if (pools.stream().noneMatch(pool -> meant(of, pool))) {
                wrong.add(of.given().key().refused(of.given().value(), noSuchPool(of.pool(), pools)) + " ("
                        + of.given().source() + ")");
            }
        }
        try {
            FlexPoolBuilder builder = FlexPool.lookUp();
            addTo(builder, "");
            builder.framework(FrameworkSettings::checkProperties);
        } catch (IllegalArgumentException refused) {
            wrong.add(asWritten(String.valueOf(refused.getMessage())));
        }
        return wrong;
    }

    private static String noSuchPool(String written, Collection<String> pools) {
        if (pools.isEmpty()) {
            return "the application has no datasource";
        }
        String nearest = Texts.nearest(written, pools);
        return "no such datasource; there are " + String.join(", ", pools)
                + (Texts.alike(written, nearest) ? "; is " + nearest + " meant?" : "");
    }

    private static boolean meant(OfPool of, String pool) {
        return WrittenKey.relaxed(of.pool()).equals(WrittenKey.relaxed(pool));
    }

    /** Passes all keys to the builder of one pool, each with its origin. */
    void addTo(FlexPoolBuilder builder, String name) {
        common.forEach((key, given) -> {
            if (!NOT_HERE.containsKey(key)) {
                add(builder, CORE + key, given);
            }
        });
        for (OfPool of : ofPools.values()) {
            String pool = meant(of, name) ? name : of.pool();
            add(builder, CORE + POOLS + "." + pool + "." + of.key(), of.given());
        }
        unknown.values().forEach(given -> add(builder, CORE + given.key().from(0), given));
    }

    private static void add(FlexPoolBuilder builder, String key, Given given) {
        builder.framework(with -> with.properties(Map.of(key, given.value()), given.origin()));
    }

    /** A message of core, with its keys as an application of Quarkus writes them. */
    static String asWritten(String message) {
        return IN_CORE.matcher(message).replaceAll(WrittenKey.PREFIX);
    }
}
