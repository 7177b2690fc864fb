// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.ConfigKey;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All keys of flexpool on the class path. Finds a key in any spelling: {@code grow-on-wait.enabled},
 * {@code growOnWait.enabled} or {@code GROW_ON_WAIT_ENABLED}. Immutable.
 */
public final class KnownKeys {
    /** The section of one pool: {@code pools.<name>.<key>}. */
    static final String POOLS = "pools";
    /** The key that names the classes, and the section of one of them: {@code classes.<name>.<key>}. */
    static final String CLASSES = "classes";

    /** Core's spelling of each key, by the relaxed spelling. */
    private final Map<String, String> byRelaxed = new LinkedHashMap<>();

    /**
     * A found key.
     *
     * @param pool the section's pool; null for all pools
     * @param key the key in core's spelling; a class's key as written
     * @param from the index of the key's first word
     */
    record Match(@Nullable String pool, String key, int from) {
        boolean requestClass() {
            return key.startsWith(CLASSES + ".");
        }
    }

    /** Reads the keys of core, of the backends and of the parts on the class path. */
    public KnownKeys() {
        for (ConfigKey key : FlexPool.configurationKeys()) {
            byRelaxed.put(WrittenKey.relaxed(key.name()), key.name());
        }
    }

    /**
     * The keys without {@code flexpool.}, for a source that cannot list its keys.
     *
     * @return the keys in core's spelling
     */
    public Collection<String> names() {
        return Collections.unmodifiableCollection(byRelaxed.values());
    }

    /**
     * The common spelling of a key, by which a framework finds the value with precedence if sources spell the key
     * differently.
     *
     * @param words the parts of a written key after flexpool's prefix
     * @param pool formats the pool name of a section, for example with quotation marks
     * @return the spelling; empty if the key is unknown
     */
    public Optional<String> spelling(List<String> words, UnaryOperator<String> pool) {
        Match match = match(words);
        if (match == null) {
            return Optional.empty();
        }
        String section = match.pool() == null ? "" : POOLS + "." + pool.apply(match.pool()) + ".";
        return Optional.of(section + match.key());
    }

    /**
     * Finds the key of these words; null without one. The longest key wins, because names may have dots, and variables
     * separate every word.
     */
    @Nullable
    Match match(List<String> words) {
        String common = key(words, 0);
        if (common != null) {
            return new Match(null, common, 0);
        }
        boolean ofPool = WrittenKey.relaxed(words.get(0)).equals(POOLS);
        for (int from = 2; ofPool && from < words.size(); from++) {
            String key = key(words, from);
            if (key != null && !ApplicationKeys.OF_ONE_POOL.contains(key)) {
                return new Match(String.join(".", words.subList(1, from)), key, from);
            }
        }
        return null;
    }

    private @Nullable String key(List<String> words, int from) {
        List<String> rest = words.subList(from, words.size());
        String known = byRelaxed.get(WrittenKey.relaxed(String.join("", rest)));
        if (known != null) {
            return known;
        }
        boolean requestClass =
                rest.size() > 2 && WrittenKey.relaxed(rest.get(0)).equals(CLASSES);
        return requestClass ? CLASSES + "." + String.join(".", rest.subList(1, rest.size())) : null;
    }
}
