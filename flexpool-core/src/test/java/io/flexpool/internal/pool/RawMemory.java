// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Where objects lie in this JVM's memory, and the words in them. Needs the JVM option {@link #OPTION}, so a test starts a
 * {@linkplain OwnJvm JVM of its own} for it. By method handles, because the compiler must not know the class.
 */
final class RawMemory {
    static final String OPTION = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

    private static final Object UNSAFE;
    private static final MethodHandle WORD;
    private static final MethodHandle REFERENCE;
    /** What is looked at last, so that its reference can be read as a number. */
    private static final Object[] HOLDER = new Object[1];

    private static final long HOLDER_BASE;
    private static final boolean NARROW;
    private static final long UNIT;

    private RawMemory() {}

    static {
        try {
            Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            UNSAFE = type.getMethod("getUnsafe").invoke(null);
            WORD = lookup.findVirtual(type, "getInt", MethodType.methodType(int.class, Object.class, long.class))
                    .bindTo(UNSAFE);
            REFERENCE = lookup.findVirtual(
                            type, "getReference", MethodType.methodType(Object.class, Object.class, long.class))
                    .bindTo(UNSAFE);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        HOLDER_BASE = base(Object[].class);
        NARROW = scale(Object[].class) == Integer.BYTES;
        UNIT = unit();
    }

    /** In which bytes a reference counts: compressed ones count in the alignment of objects, or in bytes. */
    private static long unit() {
        if (!NARROW) {
            return 1;
        }
        int longs = 1000;
        Object[] neighbours = new Object[100];
        for (int at = 0; at < neighbours.length; at++) {
            neighbours[at] = new long[longs];
        }
        long least = Long.MAX_VALUE;
        for (int at = 1; at < neighbours.length; at++) {
            least = Math.min(least, Math.abs(reference(neighbours[at]) - reference(neighbours[at - 1])));
        }
        // Two that were allocated one after the other are as far apart as one is long.
        return Math.round((double) longs * Long.BYTES / least);
    }

    private static long reference(Object object) {
        HOLDER[0] = object;
        long low = word(HOLDER, HOLDER_BASE) & 0xFFFF_FFFFL;
        return NARROW ? low : low | ((long) word(HOLDER, HOLDER_BASE + Integer.BYTES) << Integer.SIZE);
    }

    /** The address, up to a constant that is a multiple of a page; until the next collection. For one thread. */
    static long address(Object object) {
        return reference(object) * UNIT;
    }

    /** The four bytes at an offset. */
    static int word(Object object, long offset) {
        try {
            return (int) WORD.invokeExact(object, offset);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    /** The reference at an offset. */
    static @Nullable Object referenceAt(Object object, long offset) {
        try {
            return (Object) REFERENCE.invokeExact(object, offset);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    static long offset(Field field) {
        return number("objectFieldOffset", Field.class, field);
    }

    /** Where an array's first element is. */
    static long base(Class<?> array) {
        return number("arrayBaseOffset", Class.class, array);
    }

    /** How long an array's element is. */
    static long scale(Class<?> array) {
        return number("arrayIndexScale", Class.class, array);
    }

    /** An int or a long, by release of Java. */
    private static long number(String method, Class<?> parameter, Object argument) {
        try {
            Method found = UNSAFE.getClass().getMethod(method, parameter);
            return ((Number) found.invoke(UNSAFE, argument)).longValue();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }
}
