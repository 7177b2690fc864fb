// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All keys of flexpool that an application wrote. Core defines and checks the keys; this class maps written keys, in
 * any spelling, to core's, and passes them with their origins to the builder of each pool. Immutable.
 *
 * <p>Uses loops instead of streams: it runs at each application's start, and each lambda costs the main thread a tenth
 * of a millisecond.
 */
public final class ApplicationKeys {
    static final String NAME = "name";
    static final String JNDI_NAME = "data-source.jndi-name";
    /** Core's keys that apply to one pool only. */
    static final Set<String> OF_ONE_POOL = Set.of(NAME, JNDI_NAME);

    private static final String PREFIX = "flexpool.";
    private static final String SOURCES = "datasources";
    private static final String ENABLED = "enabled";

    private final KeyRules rules;
    /** The keys for all pools, by core's key. */
    private final Map<String, WrittenKey> common = new LinkedHashMap<>();
    /** The keys of single pools, by normalized pool name and core's key. */
    private final Map<String, OfPool> ofPools = new LinkedHashMap<>();
    /** The keys of data sources, by data source and key, both normalized. */
    private final Map<String, OfSource> ofSources = new LinkedHashMap<>();
    /** The switches, by name. */
    private final Map<String, WrittenKey> switches = new LinkedHashMap<>();
    /** Unknown keys, by normalized key. Core refuses them and suggests the nearest key. */
    private final Map<String, WrittenKey> unknown = new LinkedHashMap<>();

    private final List<String> problems = new ArrayList<>();

    private record OfPool(String pool, String key, WrittenKey written) {}

    private record OfSource(String source, String key, WrittenKey written) {}

    private record OfClass(KnownKeys.Match match, WrittenKey written, Map<String, WrittenKey> before) {}

    /**
     * Sorts the keys, without refusing any yet.
     *
     * @param known the keys on the class path
     * @param rules the framework's differences
     * @param sources the keys of each source; the first source with a key takes precedence. Two spellings of a key in
     *     one source are a problem
     */
    public ApplicationKeys(KnownKeys known, KeyRules rules, Collection<List<WrittenKey>> sources) {
        this.rules = rules;
        List<OfClass> ofClasses = new ArrayList<>();
        for (List<WrittenKey> source : sources) {
            Map<String, WrittenKey> before = new LinkedHashMap<>();
            for (WrittenKey key : source) {
                sort(known, key, before, ofClasses);
            }
        }
        sortOfClasses(ofClasses);
    }

    private void sort(KnownKeys known, WrittenKey written, Map<String, WrittenKey> before, List<OfClass> ofClasses) {
        KnownKeys.Match match = known.match(written.words());
        if (match != null && match.requestClass()) {
            ofClasses.add(new OfClass(match, written, before));
        } else if (match != null) {
            put(match.pool(), match.key(), written, before);
        } else {
            sortUnknown(written, before);
        }
    }

    private void put(@Nullable String pool, String key, WrittenKey written, Map<String, WrittenKey> before) {
        refuseSecond(pool == null ? key : place(pool, key), written, before);
        if (pool == null) {
            common.putIfAbsent(key, written);
        } else {
            ofPools.putIfAbsent(place(pool, key), new OfPool(pool, key, written));
        }
    }

    private void refuseSecond(String key, WrittenKey written, Map<String, WrittenKey> before) {
        WrittenKey first = before.putIfAbsent(key, written);
        if (first != null && !first.isSame(written)) {
            problems.add(written.second(first));
        }
    }

    private static String place(String name, String key) {
        return WrittenKey.relaxed(name) + '/' + key;
    }

    private void sortUnknown(WrittenKey written, Map<String, WrittenKey> before) {
        String whole = written.relaxedFrom(0);
        String own = null;
        for (String one : rules.switches) {
            if (own == null && WrittenKey.relaxed(one).equals(whole)) {
                own = one;
            }
        }
        boolean ofSource = WrittenKey.relaxed(written.words().get(0)).equals(SOURCES);
        if (own != null) {
            refuseSecond(own, written, before);
            switches.putIfAbsent(own, written);
        } else if (ofSource && !rules.dataSource.isEmpty()) {
            sortOfSource(written, before);
        } else {
            unknown.putIfAbsent(whole, written);
        }
    }

    private void sortOfSource(WrittenKey written, Map<String, WrittenKey> before) {
        List<String> words = written.words();
        String key = WrittenKey.relaxed(words.get(words.size() - 1));
        if (words.size() < 3 || !(key.equals(ENABLED) || key.equals(NAME))) {
            String section = PREFIX + SOURCES + ".<" + rules.dataSource + ">.";
            problems.add(written.refused("no such key; the keys are " + section + ENABLED + " and ." + NAME));
            return;
        }
        String source = String.join(".", words.subList(1, words.size() - 1));
        refuseSecond(SOURCES + '/' + place(source, key), written, before);
        ofSources.putIfAbsent(place(source, key), new OfSource(source, key, written));
    }

    /** Runs last, because another key lists the names of the classes. */
    private void sortOfClasses(List<OfClass> ofClasses) {
        List<String> lists = new ArrayList<>();
        WrittenKey ofAll = common.get(KnownKeys.CLASSES);
        if (ofAll != null) {
            lists.add(ofAll.value());
        }
        for (OfPool of : ofPools.values()) {
            if (of.key().equals(KnownKeys.CLASSES)) {
                lists.add(of.written().value());
            }
        }
        ClassKeys classes = new ClassKeys(lists);
        for (OfClass of : ofClasses) {
            List<String> words = of.written().words();
            String key = classes.key(words.subList(of.match().from(), words.size()));
            put(of.match().pool(), key == null ? of.match().key() : key, of.written(), of.before());
        }
    }

    /**
     * Checks everything that can be checked before a pool exists: unknown keys and values of the wrong type.
     *
     * @return the refusals, each of one or more lines, with key, value, rule and origin; empty without errors
     */
    public List<String> problems() {
        List<String> wrong = new ArrayList<>(problems);
        for (Map.Entry<String, String> one : rules.ofOnePool.entrySet()) {
            WrittenKey written = common.get(one.getKey());
            if (written != null) {
                wrong.add(written.refused(one.getValue()));
            }
        }
        List<WrittenKey> flags = new ArrayList<>(switches.values());
        for (OfSource of : ofSources.values()) {
            if (of.key().equals(ENABLED)) {
                flags.add(of.written());
            }
        }
        for (WrittenKey written : flags) {
            String value = written.value().strip();
            if (!value.equals("true") && !value.equals("false")) {
                wrong.add(written.refused("must be true or false"));
            }
        }
        try {
            FlexPoolBuilder builder = FlexPool.lookUp();
            addTo(builder, List.of(), "");
            builder.framework(FrameworkSettings::checkProperties);
        } catch (IllegalArgumentException refused) {
            wrong.add(asWritten(String.valueOf(refused.getMessage())));
        }
        return wrong;
    }

    /**
     * Finds sections of unknown data sources.
     *
     * @param names the names of all data sources
     * @return the unknown names, in the order of the keys
     */
    public List<UnknownName> unknownDataSources(Collection<String> names) {
        List<UnknownName> all = new ArrayList<>();
        for (OfSource of : ofSources.values()) {
            if (!isKnown(of.source(), names)) {
                all.add(new UnknownName(of.source(), of.written(), isSlip(of.source(), names)));
            }
        }
        return List.copyOf(all);
    }

    /**
     * Finds sections of unknown pools.
     *
     * @param names the names of all pools
     * @return the unknown names, in the order of the keys
     */
    public List<UnknownName> unknownPools(Collection<String> names) {
        List<UnknownName> all = new ArrayList<>();
        for (OfPool of : ofPools.values()) {
            if (!isKnown(of.pool(), names)) {
                all.add(new UnknownName(of.pool(), of.written(), isSlip(of.pool(), names)));
            }
        }
        return List.copyOf(all);
    }

    private boolean isKnown(String written, Collection<String> names) {
        int shortest = rules.holders ? 0 : written.length() - 1;
        for (int end = written.length(); end > shortest; end = written.lastIndexOf('.', end - 1)) {
            String holder = written.substring(0, end);
            if (isAmong(holder, names)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSlip(String written, Collection<String> names) {
        String relaxed = WrittenKey.relaxed(written);
        for (String name : names) {
            if (Texts.alike(relaxed, WrittenKey.relaxed(name))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isAmong(String written, Collection<String> names) {
        for (String name : names) {
            if (meant(written, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean meant(String written, String name) {
        return WrittenKey.relaxed(written).equals(WrittenKey.relaxed(name));
    }

    /**
     * Whether flexpool is enabled in this application.
     *
     * @return false if {@code flexpool.enabled} is false
     */
    public boolean enabled() {
        WrittenKey written = common.get(ENABLED);
        return written == null || !written.value().strip().equals("false");
    }

    /**
     * Whether flexpool must wrap a data source.
     *
     * @param dataSource its name
     * @return the key's value; empty without the key: then flexpool wraps it if it is a pool
     */
    public Optional<Boolean> enabled(String dataSource) {
        Optional<String> value = ofSource(dataSource, ENABLED);
        return value.isPresent() ? Optional.of(value.get().equals("true")) : Optional.empty();
    }

    /**
     * The configured name of a data source's pool.
     *
     * @param dataSource its name
     * @return the name; empty without the key
     */
    public Optional<String> nameOf(String dataSource) {
        return ofSource(dataSource, NAME);
    }

    private Optional<String> ofSource(String dataSource, String key) {
        OfSource of = ofSources.get(place(dataSource, key));
        return of == null ? Optional.empty() : Optional.of(of.written().value().strip());
    }

    /**
     * Whether the application has written one of core's keys, for all pools or for this pool.
     *
     * @param pool the pool
     * @param key the key, without {@code flexpool.}
     * @return true if it has
     */
    public boolean given(NamedPool pool, String key) {
        if (common.containsKey(key)) {
            return true;
        }
        for (String name : pool.inProperties()) {
            if (ofPools.containsKey(place(name, key))) {
                return true;
            }
        }
        return false;
    }

    /**
     * The keys of a pool with their origins, for refusals that do not name origins.
     *
     * @param pool the pool
     * @return a line for each key
     */
    public List<String> linesFor(NamedPool pool) {
        List<String> lines = new ArrayList<>();
        for (WrittenKey written : common.values()) {
            lines.add(written.describe());
        }
        for (OfPool of : ofPools.values()) {
            if (isAmong(of.pool(), pool.inProperties())) {
                lines.add(of.written().describe());
            }
        }
        return lines;
    }

    /**
     * Passes all keys to the builder of a pool, each with its origin.
     *
     * @param builder the builder
     * @param pool the pool; the section of its first name takes precedence over those of its other names
     * @param unique its unique name, if two pools have the same name
     */
    public void addTo(FlexPoolBuilder builder, NamedPool pool, String unique) {
        addTo(builder, pool.inProperties(), unique);
    }

    private void addTo(FlexPoolBuilder builder, List<String> names, String unique) {
        for (Map.Entry<String, WrittenKey> one : common.entrySet()) {
            if (!OF_ONE_POOL.contains(one.getKey())) {
                add(builder, PREFIX + one.getKey(), one.getValue());
            }
        }
        for (OfPool of : ofPools.values()) {
            if (!isAmong(of.pool(), names)) {
                add(builder, of, of.pool());
            }
        }
        for (int at = names.size() - 1; at >= 0; at--) {
            for (OfPool of : ofPools.values()) {
                if (meant(of.pool(), names.get(at))) {
                    add(builder, of, unique);
                }
            }
        }
        for (WrittenKey written : unknown.values()) {
            add(builder, written.coreKey(), written);
        }
    }

    private static void add(FlexPoolBuilder builder, OfPool of, String pool) {
        add(builder, PREFIX + KnownKeys.POOLS + "." + pool + "." + of.key(), of.written());
    }

    /** Passes a key in core's spelling; the origin shows the application's spelling. */
    private static void add(FlexPoolBuilder builder, String coreKey, WrittenKey written) {
        builder.framework(with -> with.properties(Map.of(coreKey, written.value()), written.origin(coreKey)));
    }

    /**
     * Converts the keys in a message of core to this framework's spelling.
     *
     * @param message a refusal
     * @return the message with the framework's prefix
     */
    public String asWritten(String message) {
        return rules.asWritten(message);
    }
}
