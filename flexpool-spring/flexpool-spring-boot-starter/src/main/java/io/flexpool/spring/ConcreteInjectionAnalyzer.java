// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.monitoring.PoolControl;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** An injection point requires a wrapped pool by its class, which the wrapper is not. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ConcreteInjectionAnalyzer extends AbstractFailureAnalyzer<BeanNotOfRequiredTypeException> {
    /** Created by Spring Boot. */
    ConcreteInjectionAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BeanNotOfRequiredTypeException cause) {
        if (!PoolControl.class.isAssignableFrom(cause.getActualType())) {
            return null;
        }
        String bean = cause.getBeanName();
        String wanted = cause.getRequiredType().getName();
        String where = where(rootFailure);
        String description =
                "The bean '" + bean + "' is required as a " + wanted + (where.isEmpty() ? "" : ", by " + where)
                        + ". flexpool has wrapped that pool, and the wrapper is a javax.sql.DataSource, not a "
                        + cause.getRequiredType().getSimpleName() + ".";
        String action = "Inject javax.sql.DataSource; where the pool's own methods are needed, dataSource.unwrap("
                + cause.getRequiredType().getSimpleName() + ".class) returns it. Or exclude this data source:"
                + " flexpool.datasources." + bean + ".enabled=false";
        return new FailureAnalysis(description, action, cause);
    }

    private String where(Throwable rootFailure) {
        UnsatisfiedDependencyException unsatisfied = findCause(rootFailure, UnsatisfiedDependencyException.class);
        if (unsatisfied == null) {
            return "";
        }
        InjectionPoint point = unsatisfied.getInjectionPoint();
        return point != null ? point.toString() : "the bean '" + unsatisfied.getBeanName() + "'";
    }
}
