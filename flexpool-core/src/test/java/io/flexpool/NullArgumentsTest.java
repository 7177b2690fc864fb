// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.strategy.AcquisitionStrategy;
import java.io.File;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every public method and constructor of core, with null for one argument at a time: where one is refused, the message is flexpool's and
 * names the argument. The JVM's own message names a local variable, or nothing.
 */
class NullArgumentsTest {
    /** Nobody else calls their methods. */
    private static final List<Class<?>> FOR_FLEXPOOL_ALONE =
            List.of(PoolAdapter.class, PoolListener.class, AcquisitionStrategy.class);

    private final Set<String> wrong = new TreeSet<>();
    private final Set<String> uncalled = new TreeSet<>();
    private int called;

    @Test
    void aNullIsRefusedByName() throws Exception {
        new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.flexpool").stream()
                        .filter(NullArgumentsTest::isApi)
                        .map(JavaClass::reflect)
                        .forEach(this::call);
        assertThat(wrong).isEmpty();
        assertThat(called).as("calls with a null, without %s", uncalled).isGreaterThan(150);
    }

    private static boolean isApi(JavaClass type) {
        return FOR_FLEXPOOL_ALONE.stream().noneMatch(spi -> type.isAssignableTo(spi))
                && !type.getPackageName().startsWith("io.flexpool.internal")
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && !type.isAnonymousClass()
                && type.getSource()
                        .map(source -> source.getUri().toString().contains("flexpool-core/target/classes"))
                        .orElse(false);
    }

    private void call(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers())) {
            return;
        }
        List<Executable> all = new ArrayList<>(List.of(type.getDeclaredMethods()));
        all.addAll(List.of(type.getDeclaredConstructors()));
        for (Executable each : all) {
            if (Modifier.isPublic(each.getModifiers())
                    && !Modifier.isAbstract(each.getModifiers())
                    && !each.isSynthetic()) {
                for (int at = 0; at < each.getParameterCount(); at++) {
                    if (!each.getParameterTypes()[at].isPrimitive() && !isNullable(each, at) && !isEquals(each)) {
                        call(type, each, at);
                    }
                }
            }
        }
    }

    private static boolean isEquals(Executable each) {
        return each.getName().equals("equals") && each.getParameterCount() == 1;
    }

    private static boolean isNullable(Executable each, int at) {
        return each.getAnnotatedParameterTypes()[at].isAnnotationPresent(Nullable.class);
    }

    private void call(Class<?> type, Executable each, int at) {
        String name = type.getName() + "." + each.getName()
                + Arrays.stream(each.getParameters())
                        .map(one -> one.getType().getSimpleName())
                        .toList() + " " + each.getParameters()[at].getName();
        Object[] arguments = new Object[each.getParameterCount()];
        Object target = null;
        try {
            for (int other = 0; other < arguments.length; other++) {
                arguments[other] = other == at ? null : sample(each.getParameterTypes()[other]);
            }
            if (each instanceof Method && !Modifier.isStatic(each.getModifiers())) {
                target = receiver(type);
            }
        } catch (Exception none) {
            uncalled.add(name + ": " + none);
            return;
        }
        called++;
        try {
            if (each instanceof Method method) {
                method.invoke(target, arguments);
            } else {
                ((Constructor<?>) each).newInstance(arguments);
            }
        } catch (InvocationTargetException thrown) {
            Throwable cause = Objects.requireNonNull(thrown.getCause());
            String message = cause.getMessage();
            if (cause instanceof NullPointerException
                    && (message == null || message.startsWith("Cannot ") || !message.contains("null"))) {
                wrong.add(name + ": " + message);
            }
        } catch (ReflectiveOperationException notCalled) {
            uncalled.add(name + ": " + notCalled);
        }
    }

    private static Object receiver(Class<?> type) throws Exception {
        Object made = made(type);
        if (made != null) {
            return made;
        }
        if (!type.isInterface()) {
            // A mock's fields are null.
            throw new IllegalStateException("no sample of " + type);
        }
        return mock(type, CALLS_REAL_METHODS);
    }

    private static Object sample(Class<?> type) throws Exception {
        Object made = made(type);
        return made != null ? made : mock(type, RETURNS_DEEP_STUBS);
    }

    private static @Nullable Object made(Class<?> type) throws Exception {
        FakePool fake = new FakePool();
        if (type == boolean.class || type == Boolean.class) {
            return true;
        } else if (type == int.class || type == Integer.class) {
            return 1;
        } else if (type == long.class || type == Long.class) {
            return 1L;
        } else if (type == double.class || type == Double.class) {
            return 0.5;
        } else if (type.isEnum()) {
            return type.getEnumConstants()[0];
        } else if (type.isArray()) {
            Object one = Array.newInstance(type.getComponentType(), 1);
            Array.set(one, 0, sample(type.getComponentType()));
            return one;
        }
        Map<Class<?>, Object> samples = Map.ofEntries(
                Map.entry(String.class, "orders"),
                Map.entry(Object.class, "orders"),
                Map.entry(Duration.class, Duration.ofSeconds(1)),
                Map.entry(Instant.class, Instant.EPOCH),
                Map.entry(Properties.class, new Properties()),
                Map.entry(Path.class, Path.of("absent.properties")),
                Map.entry(File.class, new File("absent.properties")),
                Map.entry(List.class, List.of()),
                Map.entry(Set.class, Set.of()),
                Map.entry(Collection.class, List.of()),
                Map.entry(Map.class, Map.of()),
                Map.entry(Optional.class, Optional.empty()),
                Map.entry(OptionalInt.class, OptionalInt.empty()),
                Map.entry(Class.class, String.class),
                Map.entry(Thread.class, Thread.currentThread()),
                Map.entry(Throwable.class, new IllegalStateException("sample")),
                Map.entry(SQLException.class, new SQLException("sample")));
        Object known = samples.get(type);
        if (known != null) {
            return known;
        } else if (type == FlexPoolBuilder.class) {
            return FlexPool.wrap(fake.dataSource).adapter(fake);
        } else if (type == FlexPoolDataSource.class) {
            return FlexPool.wrap(fake.dataSource).adapter(fake).build();
        }
        for (Method method : type.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers())
                    && Modifier.isPublic(method.getModifiers())
                    && method.getReturnType() == type) {
                try {
                    return method.invoke(null, samples(method));
                } catch (InvocationTargetException another) {
                    // The next one may accept the samples.
                }
            }
        }
        for (Constructor<?> constructor : type.getConstructors()) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                try {
                    return constructor.newInstance(samples(constructor));
                } catch (InvocationTargetException another) {
                    // The next one may accept the samples.
                }
            }
        }
        return null;
    }

    private static Object[] samples(Executable of) throws Exception {
        Object[] all = new Object[of.getParameterCount()];
        for (int at = 0; at < all.length; at++) {
            all[at] = sample(of.getParameterTypes()[at]);
        }
        return all;
    }
}
