// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import io.flexpool.OpenPools;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Reports to flexpool that the application keeps persistence contexts open until its views are rendered, for
 * explanations of failed requests: no stack shows the interceptor. Thread-safe.
 */
final class OpenViews implements SmartInitializingSingleton, DisposableBean {
    static final String OF_JPA = "org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor";

    private final ListableBeanFactory beans;
    private volatile OpenPools.@Nullable Registration found;

    OpenViews(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        boolean isThere = Stream.of(
                        OF_JPA,
                        "org.springframework.orm.hibernate5.support.OpenSessionInViewInterceptor",
                        "org.springframework.orm.jpa.hibernate.support.OpenSessionInViewInterceptor")
                .anyMatch(this::hasOne);
        if (isThere) {
            found = OpenPools.viewsStayOpen();
        }
    }

    private boolean hasOne(String name) {
        @Nullable ClassLoader loader = getClass().getClassLoader();
        return ClassUtils.isPresent(name, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(name, loader), true, false).length > 0;
    }

    @Override
    public void destroy() {
        OpenPools.Registration registration = found;
        if (registration != null) {
            registration.close();
        }
    }
}
