// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.spring.FlexPools;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** The actuator endpoint {@code flexpool}, if it is exposed. */
@AutoConfiguration(afterName = "io.flexpool.spring.FlexPoolAutoConfiguration")
@ConditionalOnClass(
        name = "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint")
@ConditionalOnAvailableEndpoint(FlexPoolEndpoint.class)
@ImportRuntimeHints(FlexPoolEndpointAutoConfiguration.PageHints.class)
public class FlexPoolEndpointAutoConfiguration {
    private static final String DOCUMENTATION = "management.endpoint.flexpool.documentation";

    /** Called by Spring. */
    public FlexPoolEndpointAutoConfiguration() {}

    /**
     * Creates the endpoint.
     *
     * @param pools the pools to show
     * @param environment may have the address of flexpool's documentation, {@value #DOCUMENTATION}: the page then links
     *     each cause to its how-to. By default the page only names the document, so that it works without a network
     * @return the endpoint
     */
    @Bean
    @ConditionalOnBean(FlexPools.class)
    @ConditionalOnMissingBean
    FlexPoolEndpoint flexPoolEndpoint(FlexPools pools, Environment environment) {
        return new FlexPoolEndpoint(pools, environment.getProperty(DOCUMENTATION, ""));
    }

    /** Registers the page's parts, which a native image otherwise omits. */
    static final class PageHints implements RuntimeHintsRegistrar {
        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern(PoolPage.PARTS);
        }
    }
}
