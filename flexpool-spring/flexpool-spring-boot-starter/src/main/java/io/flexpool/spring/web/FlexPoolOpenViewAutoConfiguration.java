// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** Names open-in-view ({@code spring.jpa.open-in-view}, on by default) as a cause if it holds connections. */
@AutoConfiguration(afterName = "io.flexpool.spring.FlexPoolAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(name = OpenViews.OF_JPA)
@ConditionalOnBooleanProperty(name = "flexpool.enabled", matchIfMissing = true)
public class FlexPoolOpenViewAutoConfiguration {
    /** Called by Spring. */
    public FlexPoolOpenViewAutoConfiguration() {}

    /** Searches for the interceptors when all beans exist. */
    @Bean
    static OpenViews flexPoolOpenViews(ListableBeanFactory beans) {
        return new OpenViews(beans);
    }
}
