// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.framework.ApplicationKeys;
import io.flexpool.framework.KeyRules;
import io.flexpool.framework.KnownKeys;
import io.flexpool.framework.UnknownName;
import io.flexpool.framework.WrittenKey;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/** The {@code quarkus.flexpool.*} keys of an application, in files or in environment variables. Immutable. */
final class FlexPoolKeys {
    private static final String PREFIX = "quarkus.flexpool.";
    private static final String OF_ENVIRONMENT = "QUARKUS_FLEXPOOL_";
    /** Begins SmallRye's description of a source of environment variables. */
    private static final String VARIABLES = "EnvConfigSource";

    private static final KeyRules RULES = KeyRules.refusing(
                    "pools have the names of their datasources", "pools are the application's datasources")
            .prefix(PREFIX);

    /** The origin in SmallRye's description of most kinds of sources. */
    private static final Pattern SOURCE = Pattern.compile("\\w+\\[source=(.+)]");

    private final Config config;
    private final KnownKeys known = new KnownKeys();
    private final ApplicationKeys keys;

    /** Reads the configuration, without refusing anything yet. */
    FlexPoolKeys(Config config) {
        this.config = config;
        Map<String, List<WrittenKey>> variables = new LinkedHashMap<>();
        Map<String, List<WrittenKey>> written = new LinkedHashMap<>();
        for (String name : config.getPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                read(name, split(name.substring(PREFIX.length()))).ifPresent(key -> add(key, name, true, written));
            } else if (name.startsWith(OF_ENVIRONMENT)) {
                String rest = name.substring(OF_ENVIRONMENT.length()).toLowerCase(Locale.ROOT);
                read(name, List.of(rest.split("_+"))).ifPresent(key -> add(key, name, false, variables));
            }
        }
        List<List<WrittenKey>> all = new ArrayList<>(variables.values());
        all.addAll(written.values());
        keys = new ApplicationKeys(known, RULES, all);
    }

    /**
     * Adds a key to its source. Quarkus also lists a variable with dots: that form is in no source, and after the
     * written form, which refusals show.
     */
    private void add(WrittenKey key, String name, boolean dots, Map<String, List<WrittenKey>> sources) {
        String source = String.valueOf(config.getConfigValue(name).getSourceName());
        String of = dots && source.startsWith(VARIABLES) ? name : source;
        sources.computeIfAbsent(of, any -> new ArrayList<>()).add(key);
    }

    /** Splits a key at dots, except within quotation marks, in which Quarkus encloses names with dots. */
    private static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter == '"') {
                quoted = !quoted;
            } else if (letter == '.' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(letter);
            }
        }
        words.add(word.toString());
        return words;
    }

    /**
     * Reads a key in the spelling of files: only with this spelling Quarkus also considers environment variables by
     * precedence.
     */
    private Optional<WrittenKey> read(String name, List<String> words) {
        String spelling = known.spelling(words, FlexPoolKeys::quoted).orElse(String.join(".", words));
        ConfigValue value = config.getConfigValue(PREFIX + spelling);
        if (value.getValue() == null) {
            value = config.getConfigValue(name);
        }
        String text = value.getValue();
        return text == null
                ? Optional.empty()
                : Optional.of(new WrittenKey(name, words, text, source(value.getSourceName()), false));
    }

    private static String source(@Nullable String name) {
        return name == null ? "the configuration" : SOURCE.matcher(name).replaceFirst("$1");
    }

    private static String quoted(String pool) {
        return pool.indexOf('.') < 0 ? pool : '"' + pool + '"';
    }

    /**
     * Checks everything that can be checked before a pool exists: unknown keys and pools, and values of the wrong type.
     *
     * @param pools the names of all pools of the application
     * @return the errors, one line each; empty without errors
     */
    List<String> problems(Collection<String> pools) {
        List<String> wrong = new ArrayList<>();
        if (pools.stream().distinct().count() < pools.size()) {
            wrong.add("two pools would have the same name: the default datasource, and the datasource with the name"
                    + " default. Rename the second.");
        }
        for (UnknownName unknown : keys.unknownPools(pools)) {
            wrong.add(unknown.refused(noSuchPool(unknown.name(), pools)));
        }
        wrong.addAll(keys.problems());
        return wrong;
    }

    private static String noSuchPool(String written, Collection<String> pools) {
        if (pools.isEmpty()) {
            return "the application has no datasource";
        }
        String nearest = Texts.nearest(written, pools);
        return "no such datasource; the datasources are " + String.join(", ", pools)
                + (Texts.alike(written, nearest) ? "; the nearest is " + nearest : "");
    }

    ApplicationKeys keys() {
        return keys;
    }
}
