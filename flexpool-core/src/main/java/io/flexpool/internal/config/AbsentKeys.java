// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Why a key is absent: an earlier version had it, or its part is not on the class path. Resources list both, which are
 * read only when a key is unknown. Each module lists its own removed keys; core names no feature.
 */
final class AbsentKeys {
    private static final String REMOVED = "META-INF/io.flexpool/removed-keys.properties";
    private static final String OF_POOL = WrittenKey.ROOT + "pools";
    /** Stands for the name of a class of requests. */
    private static final String NAME = "<name>";

    private static final String ARTIFACTS = "part-artifacts.properties";

    private AbsentKeys() {}

    /** The message that names the artifact for a key without {@code flexpool.}; null if no part has such a key. */
    static @Nullable String missing(String rest, Collection<String> known) {
        Properties artifacts = new Properties();
        try (InputStream list = AbsentKeys.class.getResourceAsStream(ARTIFACTS)) {
            if (list != null) {
                artifacts.load(list);
            }
        } catch (IOException unreadable) {
            return null;
        }
        for (String group : artifacts.stringPropertyNames()) {
            boolean common = rest.equals(group) || rest.startsWith(group + ".");
            boolean ofPool = rest.startsWith(WrittenKey.POOLS)
                    && (rest.endsWith("." + group) || rest.contains("." + group + "."));
            // A present part has its keys: this key is not among them.
            if ((common || ofPool) && known.stream().noneMatch(key -> (key + ".").startsWith(group + "."))) {
                return "needs the module io.flexpool:" + artifacts.getProperty(group) + " on the class path";
            }
        }
        return null;
    }

    /** The replacement of a key, also of a pool's section, in any spelling; null if it was never a key. */
    static @Nullable String insteadOf(String written) {
        String key = relaxed(written);
        if (!key.startsWith(WrittenKey.ROOT)) {
            return null;
        }
        Properties all = read();
        for (String name : all.stringPropertyNames()) {
            int at = name.indexOf(NAME);
            String start = WrittenKey.ROOT + relaxed(at < 0 ? name : name.substring(0, at));
            String end = at < 0 ? "" : relaxed(name.substring(at + NAME.length()));
            boolean common = at < 0 ? key.equals(start) : key.startsWith(start) && key.endsWith(end);
            String ofPool = start.substring(WrittenKey.ROOT.length());
            boolean ofOne = key.startsWith(OF_POOL)
                    && (at < 0 ? key.endsWith(ofPool) : key.contains(ofPool) && key.endsWith(end));
            if (common || ofOne) {
                return all.getProperty(name);
            }
        }
        return null;
    }

    /** One form for all spellings of a key. */
    static String relaxed(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    private static Properties read() {
        Properties all = new Properties();
        ClassLoader own = AbsentKeys.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        for (ClassLoader loader : context == null || context == own ? List.of(own) : List.of(own, context)) {
            try {
                for (URL list : Collections.list(loader.getResources(REMOVED))) {
                    try (InputStream in = list.openStream()) {
                        all.load(in);
                    }
                }
            } catch (IOException unreadable) {
                // The key is refused without its replacement.
            }
        }
        return all;
    }
}
