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

/** Finds the request classes named by {@link PoolClass}. Thread-safe. */
final class AnnotatedClasses implements MethodScopes.Asked {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    /** One method for each name, for the log. */
    private final Map<String, String> methods = new ConcurrentHashMap<>();

    /** For each annotation type, whether it is {@link PoolClass} or is annotated with it. */
    private final Map<Class<?>, Boolean> annotations = new ConcurrentHashMap<>();

    /** For each type, whether it mentions the annotation: beans share most interfaces. Cleared after the start. */
    private final Map<Class<?>, Boolean> types = new ConcurrentHashMap<>();

    /** Excludes the JDK's own and generated types, which have no such annotation. */
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

    /** Whether a type or one of its declared methods has the annotation, directly or by another annotation. */
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

    /** The scope by the method's annotation, otherwise by that of the bean's class. */
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

    /** Logs names that are no class of any pool, if pools have classes: they are probably misspelt. */
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
