// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPool;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.mockito.internal.PremainAttach;

/** Records from which class to which the calls of one acquisition and its close go. */
public final class Hops {
    private static volatile @Nullable Thread counted;
    private static final Deque<Class<?>> STACK = new ArrayDeque<>();
    private static final List<String> HOPS = new ArrayList<>();

    private Hops() {}

    /** At the begin and the end of each method and constructor. */
    static final class Step {
        private Step() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin Class<?> type, @Advice.Origin("#m") String method) {
            Hops.enter(type, method);
        }

        @Advice.OnMethodExit
        static void exit() {
            Hops.exit();
        }
    }

    public static void enter(Class<?> type, String method) {
        if (counted == Thread.currentThread()) {
            Class<?> from = STACK.peek();
            // A class and its superclass are one object here.
            if (from == null || !(from.isAssignableFrom(type) || type.isAssignableFrom(from))) {
                HOPS.add((from == null ? "the application" : from.getSimpleName()) + " -> " + type.getSimpleName() + "."
                        + method);
            }
            STACK.push(type);
        }
    }

    public static void exit() {
        if (counted == Thread.currentThread()) {
            STACK.pop();
        }
    }

    /** The hops of a warm cycle. */
    static List<String> of(AcquiringPool pool) throws Exception {
        Instrumentation instrumentation = PremainAttach.getInstrumentation();
        cycle(pool);
        Class<?>[] types = Arrays.stream(instrumentation.getAllLoadedClasses())
                .filter(type -> type.getName().startsWith("io.flexpool.") && !type.isInterface())
                .filter(type -> type == ManualTicker.class || isProduct(type))
                .filter(instrumentation::isModifiableClass)
                .toArray(Class<?>[]::new);
        ClassReloadingStrategy inPlace =
                new ClassReloadingStrategy(instrumentation, ClassReloadingStrategy.Strategy.RETRANSFORMATION);
        List<DynamicType.Unloaded<?>> stepped = new ArrayList<>();
        for (Class<?> type : types) {
            stepped.add(new ByteBuddy()
                    .redefine(type, ClassFileLocator.ForClassLoader.of(type.getClassLoader()))
                    .visit(Advice.to(Step.class)
                            .on(ElementMatchers.isMethod()
                                    .or(ElementMatchers.isConstructor())
                                    .and(ElementMatchers.not(ElementMatchers.isAbstract()))))
                    .make());
        }
        // All at once, because the JVM stops for each time.
        stepped.remove(0).include(stepped).load(FlexPool.class.getClassLoader(), inPlace);
        try {
            cycle(pool);
            HOPS.clear();
            counted = Thread.currentThread();
            cycle(pool);
            counted = null;
            return List.copyOf(HOPS);
        } finally {
            counted = null;
            restore(instrumentation, types);
        }
    }

    private static boolean isProduct(Class<?> type) {
        return !type.isHidden()
                && type.getProtectionDomain().getCodeSource() != null
                && type.getProtectionDomain()
                        .getCodeSource()
                        .equals(FlexPool.class.getProtectionDomain().getCodeSource())
                && !type.getName().contains("Test")
                && !type.getName().contains("MockitoMock")
                && !type.getName().startsWith(Hops.class.getName());
    }

    private static void restore(Instrumentation instrumentation, Class<?>[] types) {
        try {
            instrumentation.retransformClasses(types);
        } catch (UnmodifiableClassException e) {
            throw new AssertionError(e);
        }
    }

    private static void cycle(AcquiringPool pool) throws SQLException {
        pool.acquire().close();
    }
}
