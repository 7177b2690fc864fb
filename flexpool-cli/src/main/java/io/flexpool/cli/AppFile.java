// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An application's configuration file: properties or YAML, with one or several documents. Immutable.
 *
 * @param name the name for messages
 * @param profile the profile in the file's name; null for all profiles
 * @param rank the precedence among files of one folder and profile; the higher overrides
 * @param documents the documents, in order: keys with dots, and unresolved values
 */
record AppFile(String name, @Nullable String profile, int rank, List<Map<String, String>> documents) {
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^[#!]---[ \\t]*$");
    /** A file's name with a profile: {@code application-prod.yml}. */
    private static final Pattern OF_PROFILE =
            Pattern.compile("(?:application|bootstrap)-([A-Za-z0-9_.-]+?)\\.(?:properties|ya?ml)");

    /**
     * Reads a text.
     *
     * @param file the name without folders, which determines the format
     * @throws IOException if the text is neither; the message names the file
     */
    static AppFile of(String name, String file, String text) throws IOException {
        Matcher named = OF_PROFILE.matcher(file);
        boolean yaml = file.endsWith(".yml") || file.endsWith(".yaml");
        List<Map<String, String>> documents = new ArrayList<>();
        try {
            if (yaml) {
                for (Object each : Yamls.all(text)) {
                    Map<String, String> keys = new LinkedHashMap<>();
                    flatten("", each, keys);
                    documents.add(keys);
                }
            } else {
                for (String part : SEPARATOR.split(text, -1)) {
                    Properties read = new Properties();
                    read.load(new StringReader(part));
                    Map<String, String> keys = new LinkedHashMap<>();
                    read.stringPropertyNames().forEach(key -> keys.put(key, read.getProperty(key)));
                    documents.add(keys);
                }
            }
        } catch (IllegalArgumentException broken) {
            throw new IOException(name + ": " + broken.getMessage(), broken);
        }
        int rank = (file.startsWith("bootstrap") ? 0 : 2) + (yaml ? 0 : 1);
        return new AppFile(name, named.matches() ? named.group(1) : null, rank, documents);
    }

    private static void flatten(String before, @Nullable Object value, Map<String, String> keys) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inside) ->
                    flatten(before.isEmpty() ? String.valueOf(key) : before + "." + key, inside, keys));
        } else if (value instanceof List<?> list) {
            for (int at = 0; at < list.size(); at++) {
                flatten(before + "[" + at + "]", list.get(at), keys);
            }
        } else if (value != null) {
            keys.put(before, String.valueOf(value));
        }
    }
}
