// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.scope;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.spi.Texts;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.PoolClass;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The classes that {@link PoolClass} names. Thread-safe. */
final class AnnotatedClasses implements MethodScopes.Asked {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    /** A method for each name, for the log. */
    private final Map<String, String> methods = new ConcurrentHashMap<>();

    /** Whether an annotation's type is {@link PoolClass} or has it. */
    private final Map<Class<?>, Boolean> annotations = new ConcurrentHashMap<>();

    /** Whether a type mentions the annotation: the beans of a start share most interfaces. Emptied after the start. */
    private final Map<Class<?>, Boolean> types = new ConcurrentHashMap<>();

    /** The JDK's own types have no such annotation, and those that it generates have none. */
    @Override
    public boolean isCandidate(Class<?> type) {
        if (type.getName().startsWith("java.") || Proxy.isProxyClass(type)) {
            return false;
        }
        Boolean known = types.get(type);
        if (known == null) {
            known = isMentionedBy(type);
            types.put(type, known);
        }
        return known;
    }

    /** Whether a type has the annotation itself, or one of the methods that it declares, also by another annotation. */
    private boolean isMentionedBy(Class<?> type) {
        if (isAmong(type.getDeclaredAnnotations())) {
            return true;
        }
        for (Method method : ReflectionUtils.getDeclaredMethods(type)) {
            if (isAmong(method.getDeclaredAnnotations())) {
                return true;
            }
        }
        return false;
    }

    private boolean isAmong(Annotation[] declared) {
        for (Annotation one : declared) {
            Class<? extends Annotation> type = one.annotationType();
            Boolean known = annotations.get(type);
            if (known == null) {
                known = type == PoolClass.class || AnnotatedElementUtils.isAnnotated(type, PoolClass.class);
                annotations.put(type, known);
            }
            if (known) {
                return true;
            }
        }
        return false;
    }

    /** As the method says itself, or else the bean's class. */
    @Override
    public @Nullable PoolScope scope(Method method, Class<?> requestClass) {
        PoolClass said = AnnotatedElementUtils.findMergedAnnotation(method, PoolClass.class);
        if (said == null) {
            said = AnnotatedElementUtils.findMergedAnnotation(requestClass, PoolClass.class);
        }
        if (said == null) {
            return null;
        }
        methods.putIfAbsent(said.value(), requestClass.getName() + "." + method.getName());
        return PoolScope.of(said.value());
    }

    /** Logs the names that are no class of any pool, if pools have classes: most likely they are misspelt. */
    void check(FlexPools pools) {
        types.clear();
        if (methods.isEmpty()) {
            return;
        }
        List<String> classes = pools.byName().values().stream()
                .map(FlexPoolDataSource::classes)
                .flatMap(List::stream)
                .map(RequestClass::name)
                .distinct()
                .toList();
        methods.forEach((name, method) -> {
            if (!classes.isEmpty() && !classes.contains(name)) {
                LOG.warn(
                        "@PoolClass(\"{}\") on {}: no pool has such a class; the nearest is {}",
                        Texts.line(name),
                        method,
                        Texts.nearest(name, classes));
            }
        });
    }
}
