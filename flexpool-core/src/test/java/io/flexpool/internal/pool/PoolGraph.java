// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a pool consists of: all that can be reached from it without passing a thread, a class, a log, a weak
 * reference or a data source that is not flexpool's. Found once; what is allocated later is not among them.
 */
final class PoolGraph {
    /** Behind these are parts of the JVM or of the test. */
    private static final List<String> OTHERS = List.of("java.lang.invoke.", "jdk.", "sun.", "ch.qos.", "org.slf4j.");

    private static final Map<Class<?>, List<Place>> PLACES = new HashMap<>();

    private final IdentityHashMap<Object, Part> parts = new IdentityHashMap<>();
    private final List<Part> inOrder = new ArrayList<>();
    private int words;

    /** A field, and where it is in an object. */
    private record Place(Field field, long offset) {
        long end() {
            Class<?> type = field.getType();
            int length = !type.isPrimitive()
                    ? (int) RawMemory.scale(Object[].class)
                    : type == long.class || type == double.class
                            ? Long.BYTES
                            : type == int.class || type == float.class
                                    ? Integer.BYTES
                                    : type == short.class || type == char.class ? Short.BYTES : Byte.BYTES;
            return offset + length;
        }
    }

    /** One object. */
    static final class Part {
        final Object object;
        /** Which it is, in the order in which they were found. */
        final int number;
        /** Where its own words begin, after what the JVM keeps of it. */
        final long begin;
        /** Where its words end. */
        final long end;
        /** The number of its first word in the pool. */
        private final int firstWord;

        final List<Part> refersTo = new ArrayList<>();

        Part(Object object, int number, long begin, long end, int firstWord) {
            this.object = object;
            this.number = number;
            this.begin = begin;
            this.end = end;
            this.firstWord = firstWord;
        }

        private int wordCount() {
            return (int) ((end - begin + Integer.BYTES - 1) / Integer.BYTES);
        }

        /** The offset of one of the pool's words, which is in this object. */
        long offset(int word) {
            return begin + (long) (word - firstWord) * Integer.BYTES;
        }

        /** What is at an offset, for a message: the class and the field, or the element. */
        String at(long offset) {
            String type = name(object.getClass());
            if (object.getClass().isArray()) {
                long element = (offset - begin) / RawMemory.scale(object.getClass());
                return type.replace("[]", "[" + (offset < begin ? "length" : element) + "]");
            }
            for (Place place : places(object.getClass())) {
                if (place.offset() <= offset && offset < place.end()) {
                    return type + "." + place.field().getName();
                }
            }
            return type + "'s header";
        }

        String name() {
            return name(object.getClass());
        }

        private static String name(Class<?> type) {
            String full = type.getName();
            return type.isArray() ? type.getSimpleName() : full.substring(full.lastIndexOf('.') + 1);
        }

        /** Whether some field between two offsets is more than padding. */
        boolean used(long from, long to) {
            return places(object.getClass()).stream()
                    .anyMatch(place -> place.offset() < to && from < place.end() && !padding(place.field()));
        }

        /** Classes that consist of padding are named so. */
        private static boolean padding(Field field) {
            return field.getDeclaringClass().getSimpleName().endsWith("Pad");
        }
    }

    PoolGraph(Object root) {
        add(root);
        for (int at = 0; at < inOrder.size(); at++) {
            Part from = inOrder.get(at);
            for (Object target : targets(from.object)) {
                from.refersTo.add(add(target));
            }
        }
    }

    private Part add(Object object) {
        Part known = parts.get(object);
        if (known != null) {
            return known;
        }
        Class<?> type = object.getClass();
        long begin;
        long end;
        if (type.isArray()) {
            begin = RawMemory.base(type);
            end = begin + RawMemory.scale(type) * Array.getLength(object);
        } else {
            List<Place> places = places(type);
            begin = places.stream().mapToLong(Place::offset).min().orElse(0) & -Integer.BYTES;
            end = places.stream().mapToLong(Place::end).max().orElse(begin);
        }
        Part part = new Part(object, inOrder.size(), begin, end, words);
        words += part.wordCount();
        parts.put(object, part);
        inOrder.add(part);
        return part;
    }

    private static List<Object> targets(Object object) {
        List<Object> targets = new ArrayList<>();
        if (object instanceof Object[] array) {
            for (Object element : array) {
                addTarget(element, targets);
            }
        } else if (!object.getClass().isArray()) {
            for (Place place : places(object.getClass())) {
                if (!place.field().getType().isPrimitive()) {
                    addTarget(RawMemory.referenceAt(object, place.offset()), targets);
                }
            }
        }
        return targets;
    }

    private static void addTarget(@Nullable Object target, List<Object> targets) {
        if (target != null && !isOther(target)) {
            targets.add(target);
        }
    }

    private static boolean isOther(Object object) {
        String name = object.getClass().getName();
        return object instanceof Thread
                || object instanceof ThreadGroup
                || object instanceof Class
                || object instanceof ClassLoader
                || object instanceof Reference
                || Proxy.isProxyClass(object.getClass())
                || OTHERS.stream().anyMatch(name::startsWith);
    }

    private static List<Place> places(Class<?> type) {
        return PLACES.computeIfAbsent(type, PoolGraph::find);
    }

    private static List<Place> find(Class<?> type) {
        List<Place> found = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    found.add(new Place(field, RawMemory.offset(field)));
                }
            }
        }
        return found;
    }

    List<Part> parts() {
        return inOrder;
    }

    /** The only object of a class. */
    <T> T only(Class<T> type) {
        List<T> found = inOrder.stream()
                .map(part -> part.object)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " of " + type);
        }
        return found.get(0);
    }

    /** The object that has a word. */
    Part of(int word) {
        int low = 0;
        int high = inOrder.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (inOrder.get(middle).firstWord <= word) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return inOrder.get(low);
    }

    /** All words as they are now, by number. */
    int[] read() {
        int[] read = new int[words];
        int at = 0;
        for (Part part : inOrder) {
            for (int word = 0; word < part.wordCount(); word++) {
                read[at++] = RawMemory.word(part.object, part.begin + (long) word * Integer.BYTES);
            }
        }
        return read;
    }
}
