// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.scope;

import io.flexpool.PoolScope;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.MethodClassKey;
import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;

/** Opens a scope around annotated methods of beans. Thread-safe. */
final class MethodScopes extends StaticMethodMatcherPointcut implements MethodInterceptor {
    /** Before transactions, because the scope applies to their connection, and before all other ordered advisors. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 100;

    private final Asked asked;
    /** The scope of each method, found once, because reading annotations takes microseconds. */
    private final Map<MethodClassKey, Optional<PoolScope>> known = new ConcurrentHashMap<>();

    /** Finds the scope of a method. */
    interface Asked {
        /**
         * Whether a class or interface may have the annotation, on itself or on a declared method. Only then its
         * methods are checked.
         */
        boolean isCandidate(Class<?> type);

        /**
         * The scope of a method.
         *
         * @param method the method of the bean's class
         * @param requestClass the bean's class
         * @return the scope; null without one
         */
        @Nullable
        PoolScope scope(Method method, Class<?> requestClass);
    }

    private MethodScopes(Asked asked) {
        this.asked = asked;
        setClassFilter(this::isCandidate);
    }

    /**
     * Creates the advisor by which the container opens such scopes.
     *
     * @param asked finds the scope of a method
     */
    static Advisor advisor(Asked asked) {
        MethodScopes scopes = new MethodScopes(asked);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(scopes, scopes);
        advisor.setOrder(ORDER);
        return advisor;
    }

    /**
     * Whether any supertype is a candidate. Most beans have no such annotation: then none of their methods is checked
     * or stored.
     */
    private boolean isCandidate(Class<?> type) {
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (asked.isCandidate(at)) {
                return true;
            }
            for (Class<?> inherited : at.getInterfaces()) {
                if (isCandidate(inherited)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public boolean matches(Method method, Class<?> requestClass) {
        return scope(method, requestClass).isPresent();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Method method = call.getMethod();
        Optional<PoolScope> scope =
                scope(method, target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target));
        if (scope.isEmpty()) {
            return call.proceed();
        }
        PoolScope.Opened open = scope.get().open();
        try {
            return call.proceed();
        } finally {
            open.close();
        }
    }

    private Optional<PoolScope> scope(Method method, Class<?> requestClass) {
        // Methods of Object request no connection, so they must not cause a proxy.
        return ReflectionUtils.isObjectMethod(method) || method.getDeclaringClass() == Object.class
                ? Optional.empty()
                : known.computeIfAbsent(
                        new MethodClassKey(method, requestClass),
                        key -> Optional.ofNullable(
                                asked.scope(AopUtils.getMostSpecificMethod(method, requestClass), requestClass)));
    }
}
