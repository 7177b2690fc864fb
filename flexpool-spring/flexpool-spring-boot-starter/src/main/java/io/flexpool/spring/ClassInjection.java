// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds a bean into which a pool is injected by the pool's class. If the injection is optional (an
 * {@code ObjectProvider}, an {@code Optional}, a list), Spring would silently inject nothing, because flexpool's proxy
 * is not of that class. Checks the classes of the application and its libraries, but not those of Spring, Hibernate,
 * Jackson and pools.
 */
final class ClassInjection {
    /**
     * The packages that are not checked: Jackson's mappers alone, beans of most applications, would take ten
     * milliseconds.
     */
    private static final List<String> NOT_LOOKED_AT = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "org.springframework.",
            "org.hibernate.",
            "io.micrometer.",
            "io.opentelemetry.",
            "tools.jackson.",
            "com.fasterxml.");

    private ClassInjection() {}

    /**
     * The first such injection.
     *
     * @param beans the beans' definitions; no bean is created
     * @param pool the pool's class
     * @return the class and the member, for a log line; empty without such an injection
     */
    static Optional<String> of(ConfigurableListableBeanFactory beans, Class<?> pool) {
        Set<Class<?>> seen = new HashSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            for (Class<?> type = type(beans, name); type != null && isLookedAt(type); type = type.getSuperclass()) {
                if (seen.add(type)) {
                    Optional<String> found = in(type, pool);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static @Nullable Class<?> type(ConfigurableListableBeanFactory beans, String name) {
        try {
            Class<?> type = beans.getType(name, false);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException | LinkageError unknown) {
            return null;
        }
    }

    private static boolean isLookedAt(Class<?> type) {
        // The JDK's generated classes have no injection.
        if (type.isInterface() || Proxy.isProxyClass(type)) {
            return false;
        }
        for (String prefix : NOT_LOOKED_AT) {
            if (type.getName().startsWith(prefix)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> in(Class<?> type, Class<?> pool) {
        if (type.isAssignableFrom(pool)) {
            return Optional.empty();
        }
        try {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                if (mention(pool, constructor.getGenericParameterTypes())) {
                    return Optional.of(type.getName() + "'s constructor");
                }
            }
            for (Field field : type.getDeclaredFields()) {
                if (field.getAnnotations().length > 0 && mention(pool, field.getGenericType())) {
                    return Optional.of(type.getName() + "." + field.getName());
                }
            }
            for (Method method : type.getDeclaredMethods()) {
                if (method.getAnnotations().length > 0 && mention(pool, method.getGenericParameterTypes())) {
                    return Optional.of(type.getName() + "." + method.getName() + "()");
                }
            }
        } catch (RuntimeException | LinkageError classMissing) {
            // The class refers to an absent optional library.
        }
        return Optional.empty();
    }

    private static boolean mention(Class<?> pool, Type... types) {
        for (Type type : types) {
            if (mentions(pool, type)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mentions(Class<?> pool, Type type) {
        if (type instanceof Class<?> plain) {
            return plain.isArray()
                    ? mentions(pool, plain.getComponentType())
                    : plain != Object.class && plain.isAssignableFrom(pool) && !isKept(plain);
        }
        if (type instanceof ParameterizedType parameterized) {
            return mention(pool, parameterized.getActualTypeArguments());
        }
        if (type instanceof WildcardType wildcard) {
            return mention(pool, wildcard.getUpperBounds());
        }
        return type instanceof GenericArrayType array && mentions(pool, array.getGenericComponentType());
    }

    /**
     * Whether the proxy has this interface: it has all interfaces of the pool except those that extend DataSource, for
     * example UCP's and Agroal's.
     */
    private static boolean isKept(Class<?> type) {
        return type.isInterface() && (!DataSource.class.isAssignableFrom(type) || type == DataSource.class);
    }
}
