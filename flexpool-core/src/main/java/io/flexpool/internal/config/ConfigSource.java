// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.config.PropertiesFile.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A source of properties: a map, a file, a class path resource, the environment or the system properties.
 *
 * @param origin the source in words; empty for code
 * @param contents reads the source when a pool is built
 */
public record ConfigSource(String origin, Contents contents) {
    /** The prefix of environment variables. */
    static final String VARIABLE = "FLEXPOOL_";

    private static final String OF_KUBERNETES = VARIABLE + "(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_.+)?)";

    /** Reads a source. */
    interface Contents {
        List<Entry> read() throws IOException;
    }

    /** The values set by code, without a place to name. */
    public static ConfigSource ofCode(Map<String, String> keys) {
        return of(keys, "");
    }

    public static ConfigSource of(Map<?, ?> map) {
        return of(map, "the given map");
    }

    public static ConfigSource of(Map<?, ?> map, String origin) {
        Map<String, Entry> copy = new LinkedHashMap<>();
        if (map instanceof Properties properties) {
            // With the defaults, which an iteration omits.
            properties.stringPropertyNames().forEach(key -> put(copy, key, properties.getProperty(key)));
        }
        for (Map.Entry<?, ?> one : map.entrySet()) {
            put(copy, String.valueOf(one.getKey()), one.getValue() == null ? "" : String.valueOf(one.getValue()));
        }
        List<Entry> entries = List.copyOf(copy.values());
        return new ConfigSource(origin, () -> entries);
    }

    /** The variables that are keys, without variables that Kubernetes adds for a service {@code flexpool-…}. */
    public static ConfigSource ofVariables(Map<String, String> environment) {
        Map<String, String> keys = new TreeMap<>();
        for (Map.Entry<String, String> one : environment.entrySet()) {
            String name = one.getKey();
            if (name.startsWith(VARIABLE) && !name.matches(OF_KUBERNETES)) {
                keys.put(name, one.getValue());
            }
        }
        return of(keys, "the environment");
    }

    /** The system properties that are keys. */
    public static ConfigSource ofSystem(Properties system) {
        Map<String, String> keys = new TreeMap<>();
        for (String name : system.stringPropertyNames()) {
            if (name.startsWith(ConfigReader.PREFIX)) {
                keys.put(name, system.getProperty(name));
            }
        }
        return of(keys, "the system properties");
    }

    private static void put(Map<String, Entry> entries, String key, String value) {
        entries.put(key, new Entry(key, value, 0));
    }

    public static ConfigSource of(Path file) {
        return new ConfigSource("file " + file, () -> PropertiesFile.read(Files.newInputStream(file)));
    }

    public static ConfigSource ofClassPath(String resource) {
        return new ConfigSource("class path resource " + resource, () -> {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            InputStream in = context == null ? null : context.getResourceAsStream(resource);
            if (in == null) {
                in = ConfigSource.class.getClassLoader().getResourceAsStream(resource);
            }
            if (in == null) {
                throw new IOException("no such resource");
            }
            return PropertiesFile.read(in);
        });
    }
}
