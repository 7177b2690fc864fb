// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.FilterReader;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A driver's connection, and all that can be reached from it, behind proxies that note which methods are called. A proxy
 * has all interfaces of its target, so that what the driver makes of one object of two kinds stays so.
 */
final class RecordedDriver {
    private final Map<Object, Object> proxies = Collections.synchronizedMap(new IdentityHashMap<>());
    private final Set<String> called = Collections.synchronizedSet(new TreeSet<>());

    /** The methods called since the last {@link #forget}, as {@code Statement.close}. */
    Set<String> called() {
        return called;
    }

    void forget() {
        called.clear();
    }

    <T> T recorded(Class<T> type, T target) {
        return type.cast(proxy(target));
    }

    private @Nullable Object recorded(@Nullable Object value) {
        if (value instanceof Object[] elements) {
            Object[] copy = Arrays.copyOf(elements, elements.length, Object[].class);
            boolean changed = false;
            for (int at = 0; at < copy.length; at++) {
                copy[at] = recorded(elements[at]);
                changed |= copy[at] != elements[at];
            }
            return changed ? copy : elements;
        }
        if (value == null || LeaseCrawl.isInMemory(value)) {
            return value;
        }
        if (value instanceof InputStream stream) {
            return new Input(stream);
        }
        if (value instanceof Reader reader) {
            return new Characters(reader);
        }
        if (value instanceof OutputStream stream) {
            return new Output(stream);
        }
        if (value instanceof Writer writer) {
            return new WrittenCharacters(writer);
        }
        return LeaseCrawl.isPlace(value) ? proxy(value) : value;
    }

    private Object proxy(Object target) {
        Object known = proxies.get(target);
        if (known == null) {
            Class<?>[] types = interfaces(target.getClass()).toArray(Class<?>[]::new);
            known = Proxy.newProxyInstance(
                    RecordedDriver.class.getClassLoader(),
                    types,
                    (proxy, method, arguments) -> call(proxy, target, method, arguments));
            proxies.put(target, known);
        }
        return known;
    }

    private @Nullable Object call(Object proxy, Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("hashCode")) {
            return System.identityHashCode(proxy);
        }
        if (method.getName().equals("equals") && arguments != null) {
            return arguments[0] == proxy;
        }
        if (method.getDeclaringClass() != Object.class) {
            called.add(LeaseCrawl.name(method));
        }
        try {
            return recorded(method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Set<Class<?>> interfaces(Class<?> of) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> type = of; type != null; type = type.getSuperclass()) {
            for (Class<?> direct : type.getInterfaces()) {
                if (Modifier.isPublic(direct.getModifiers())) {
                    found.add(direct);
                }
                found.addAll(interfaces(direct));
            }
        }
        return found;
    }

    private final class Input extends FilterInputStream {
        Input(InputStream target) {
            super(target);
        }

        @Override
        public int read() throws IOException {
            called.add("InputStream.read");
            return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            called.add("InputStream.read");
            return in.read(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            called.add("InputStream.close");
            in.close();
        }
    }

    private final class Characters extends FilterReader {
        Characters(Reader target) {
            super(target);
        }

        @Override
        public int read() throws IOException {
            called.add("Reader.read");
            return in.read();
        }

        @Override
        public int read(char[] letters, int offset, int length) throws IOException {
            called.add("Reader.read");
            return in.read(letters, offset, length);
        }

        @Override
        public void close() throws IOException {
            called.add("Reader.close");
            in.close();
        }
    }

    private final class Output extends FilterOutputStream {
        Output(OutputStream target) {
            super(target);
        }

        @Override
        public void write(int value) throws IOException {
            called.add("OutputStream.write");
            out.write(value);
        }

        @Override
        public void close() throws IOException {
            called.add("OutputStream.close");
            out.close();
        }
    }

    private final class WrittenCharacters extends FilterWriter {
        WrittenCharacters(Writer target) {
            super(target);
        }

        @Override
        public void write(int letter) throws IOException {
            called.add("Writer.write");
            out.write(letter);
        }

        @Override
        public void close() throws IOException {
            called.add("Writer.close");
            out.close();
        }
    }
}
