// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;

/** Reloads this module's classes without some classes of the Java runtime. */
final class LoadedAgain extends ClassLoader {
    private static final String MINE = "io.flexpool.metrics.jdk.";

    private final Predicate<String> missing;

    /** @param missing the classes that cannot be found */
    LoadedAgain(Predicate<String> missing) {
        super(LoadedAgain.class.getClassLoader());
        this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (missing.test(name)) {
            throw new ClassNotFoundException(name);
        }
        if (!name.startsWith(MINE)) {
            return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : defineAgain(name);
    }

    private Class<?> defineAgain(String name) throws ClassNotFoundException {
        try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] all = bytes.readAllBytes();
            return defineClass(name, all, 0, all.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
