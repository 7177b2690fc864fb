// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.spring.FlexPools;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Role;

/**
 * The actuator endpoint {@code flexpool}, where it is exposed. Where it is not, nothing listens to the pools for its
 * sake.
 */
@AutoConfiguration(afterName = "io.flexpool.spring.FlexPoolAutoConfiguration")
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnAvailableEndpoint(FlexPoolEndpoint.class)
@ImportRuntimeHints(FlexPoolEndpointAutoConfiguration.PageHints.class)
public class FlexPoolEndpointAutoConfiguration {
    /** Made by Spring. */
    public FlexPoolEndpointAutoConfiguration() {}

    /**
     * What happened in the pools. Made when the first data source is, so it needs nothing and is no business of other
     * post-processors.
     *
     * @return bound to each pool that is wrapped
     */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RecentEvents flexPoolRecentEvents() {
        return new RecentEvents();
    }

    /**
     * The endpoint.
     *
     * @param pools which
     * @param events what happened in them
     * @return the endpoint
     */
    @Bean
    @ConditionalOnBean(FlexPools.class)
    @ConditionalOnMissingBean
    FlexPoolEndpoint flexPoolEndpoint(FlexPools pools, RecentEvents events) {
        return new FlexPoolEndpoint(pools, events);
    }

    /** A native image holds the page's parts only if it is told to. */
    static final class PageHints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern(PoolPage.PARTS);
        }
    }
}
