// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where properties come from: a map, a file, a URL or a class path resource.
 *
 * @param origin the source, for people
 * @param contents reads it anew, when a pool is built
 */
public record ConfigSource(String origin, Contents contents) {
    /** Reads a source. */
    interface Contents {
        Map<String, String> read() throws IOException;
    }

    public static ConfigSource of(Map<?, ?> map) {
        return of(map, "the given map");
    }

    public static ConfigSource of(Map<?, ?> map, String origin) {
        Map<String, String> copy = new LinkedHashMap<>();
        if (map instanceof Properties properties) {
            // Its defaults too, which no iteration shows.
            properties.stringPropertyNames().forEach(key -> copy.put(key, properties.getProperty(key)));
        }
        map.forEach((key, value) -> copy.put(String.valueOf(key), value == null ? "" : String.valueOf(value)));
        return new ConfigSource(origin, () -> copy);
    }

    public static ConfigSource of(Path file) {
        return new ConfigSource("file " + file, () -> load(Files.newBufferedReader(file)));
    }

    public static ConfigSource of(URL url) {
        return new ConfigSource(Refusals.shown("url", url.toString()), () -> load(url.openStream()));
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
            return load(in);
        });
    }

    private static Map<String, String> load(InputStream in) throws IOException {
        return load(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private static Map<String, String> load(Reader reader) throws IOException {
        Strict strict = new Strict();
        try (reader) {
            strict.load(reader);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("malformed: " + malformed.getMessage(), malformed);
        }
        if (strict.twice != null) {
            throw new IOException("the key " + strict.twice + " is given twice");
        }
        return strict.inOrder;
    }

    /** Keeps the order of the file, and sees what {@link Properties} would silently overwrite. Used by one thread. */
    private static final class Strict extends Properties {
        private static final long serialVersionUID = 1;
        private final transient Map<String, String> inOrder = new LinkedHashMap<>();
        private transient @Nullable String twice;

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // used by one thread
        public @Nullable Object put(Object key, Object value) {
            if (inOrder.put((String) key, (String) value) != null) {
                twice = (String) key;
            }
            return null;
        }
    }
}
