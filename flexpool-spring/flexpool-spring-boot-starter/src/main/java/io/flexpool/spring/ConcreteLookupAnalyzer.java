// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains a failed lookup by the pool's class after the pool was wrapped, so that no bean of that class exists. After
 * the failed start, all beans are gone and the declared types are visible again.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConcreteLookupAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
    private final BeanFactory beans;

    /** Created by Spring Boot. */
    ConcreteLookupAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        Class<?> wanted = cause.getBeanType();
        if (wanted == null || wanted == DataSource.class || !DataSource.class.isAssignableFrom(wanted)) {
            return null;
        }
        if (cause instanceof NoUniqueBeanDefinitionException) {
            return null;
        }
        String[] declared =
                beans instanceof ListableBeanFactory all ? all.getBeanNamesForType(wanted, true, false) : new String[0];
        if (declared.length == 0) {
            return null;
        }
        String bean = PoolWrapping.plain(declared[0]);
        return new FailureAnalysis(
                "A bean of the class " + wanted.getName() + " was requested. The bean '" + bean
                        + "' is declared with this class, but"
                        + " flexpool has wrapped that pool, and the wrapper is a javax.sql.DataSource, not a "
                        + wanted.getSimpleName() + ".",
                "Request javax.sql.DataSource; where the pool's own methods are needed, dataSource.unwrap("
                        + wanted.getSimpleName() + ".class) returns it. Or exclude this data source:"
                        + " flexpool.datasources." + bean + ".enabled=false",
                cause);
    }
}
