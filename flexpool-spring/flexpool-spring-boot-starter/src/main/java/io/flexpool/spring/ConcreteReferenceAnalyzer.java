// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains a failed call between bean methods: the called method declares a pool's class, but Spring returns the
 * wrapped bean, which is not of that class. Spring has no exception type for this, so the failure is recognised by its
 * stack trace.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConcreteReferenceAnalyzer extends AbstractFailureAnalyzer<IllegalStateException> {
    private static final String THROWN_BY = "org.springframework.context.annotation.ConfigurationClassEnhancer";

    private final BeanFactory beans;

    /** Created by Spring Boot. */
    ConcreteReferenceAnalyzer(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, IllegalStateException cause) {
        StackTraceElement[] trace = cause.getStackTrace();
        if (trace.length == 0 || !trace[0].getClassName().startsWith(THROWN_BY)) {
            return null;
        }
        int caller = 0;
        while (caller < trace.length - 1 && trace[caller].getClassName().startsWith(THROWN_BY)) {
            caller++;
        }
        String bean = trace[caller].getMethodName();
        if (!beans.containsBean(bean) || !beans.isTypeMatch(bean, DataSource.class)) {
            return null;
        }
        return new FailureAnalysis(
                "The bean method '" + bean + "' returns a pool class, and another bean method calls it."
                        + " flexpool has wrapped that pool, so the call returns a javax.sql.DataSource, and the cast"
                        + " to the pool class fails. " + cause.getMessage(),
                "Let the method return javax.sql.DataSource, or give the calling method a DataSource parameter."
                        + " Or exclude this data source: flexpool.datasources." + bean + ".enabled=false",
                cause);
    }
}
