// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** The status 503 for requests that get no connection, if {@code flexpool.web.unavailable} is {@code true}. */
@AutoConfiguration(afterName = "io.flexpool.spring.FlexPoolAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(name = "org.springframework.web.servlet.HandlerExceptionResolver")
@ConditionalOnBooleanProperty("flexpool.web.unavailable")
public class FlexPoolWebAutoConfiguration {
    /** Called by Spring. */
    public FlexPoolWebAutoConfiguration() {}

    /** Runs before the application's exception handlers, because many handle any exception. */
    @Bean
    static UnavailableResolver flexPoolUnavailable() {
        return new UnavailableResolver();
    }
}
