// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of keys and values of an application: properties, or YAML, in one or several documents. Immutable.
 *
 * @param name for messages
 * @param documents in their order
 */
record AppFile(String name, List<Document> documents) {
    private static final Pattern SEPARATOR = Pattern.compile("(?m)^[#!]---[ \\t]*$");
    /** {@code application-prod.yml} is of the profile prod. */
    private static final Pattern OF_PROFILE =
            Pattern.compile("(?:application|bootstrap)-([A-Za-z0-9_.-]+?)\\.(?:properties|ya?ml)");

    /**
     * A part of a file.
     *
     * @param profile the profile that it is for; null if it is for all
     * @param keys with dots, and values as they are written
     */
    record Document(@Nullable String profile, Map<String, String> keys) {}

    /**
     * Reads a text.
     *
     * @param file its name without folders, which says of which form it is
     * @throws IOException naming the file, if the text is neither
     */
    static AppFile of(String name, String file, String text) throws IOException {
        java.util.regex.Matcher named = OF_PROFILE.matcher(file);
        String profile = named.matches() ? named.group(1) : null;
        List<Document> documents = new ArrayList<>();
        try {
            if (file.endsWith(".yml") || file.endsWith(".yaml")) {
                for (Object each : Yamls.all(text)) {
                    Map<String, String> keys = new LinkedHashMap<>();
                    flatten("", each, keys);
                    documents.add(document(profile, keys));
                }
            } else {
                for (String part : SEPARATOR.split(text, -1)) {
                    Properties read = new Properties();
                    read.load(new StringReader(part));
                    Map<String, String> keys = new LinkedHashMap<>();
                    read.stringPropertyNames().forEach(key -> keys.put(key, read.getProperty(key)));
                    documents.add(document(profile, keys));
                }
            }
        } catch (IllegalArgumentException broken) {
            throw new IOException(name + ": " + broken.getMessage(), broken);
        }
        return new AppFile(name, documents);
    }

    private static Document document(@Nullable String ofFile, Map<String, String> keys) {
        String own = keys.getOrDefault("spring.config.activate.on-profile", keys.get("spring.profiles"));
        return new Document(own == null ? ofFile : own, keys);
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
