// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.health;

import io.flexpool.framework.PoolHealth;
import io.flexpool.spring.FlexPools;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/** The health indicator {@code flexpool} for Spring Boot 3. */
@AutoConfiguration(
        afterName = "io.flexpool.spring.FlexPoolAutoConfiguration",
        beforeName = "org.springframework.boot.actuate.autoconfigure.health.HealthEndpointAutoConfiguration")
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnEnabledHealthIndicator("flexpool")
public class FlexPoolBoot3HealthAutoConfiguration {
    /** Called by Spring. */
    public FlexPoolBoot3HealthAutoConfiguration() {}

    /** The health of the pools. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PoolHealth flexPoolHealth() {
        return new PoolHealth();
    }

    /**
     * Creates the indicator.
     *
     * @param health the pools' health
     * @param pools all pools, also those that were closed while their beans live
     * @return an indicator that borrows no connection
     */
    @Bean
    @ConditionalOnBean(type = "io.flexpool.spring.FlexPools")
    @ConditionalOnMissingBean(name = "flexpoolHealthIndicator")
    HealthIndicator flexpoolHealthIndicator(PoolHealth health, FlexPools pools) {
        return () -> {
            PoolHealth.Findings findings = health.findings(pools.byName().values());
            return Health.status(findings.status())
                    .withDetails(findings.pools())
                    .build();
        };
    }
}
