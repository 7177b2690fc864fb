// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.scope;

import io.flexpool.PoolScope;
import io.flexpool.spring.FlexPools;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Activates {@link io.flexpool.spring.PoolClass}, and the deadlines by transaction timeouts if
 * {@code flexpool.transaction-deadlines} is {@code true}.
 */
@AutoConfiguration(afterName = "io.flexpool.spring.FlexPoolAutoConfiguration")
@ConditionalOnBooleanProperty(name = "flexpool.enabled", matchIfMissing = true)
@Import(FlexPoolScopeAutoConfiguration.Proxies.class)
public class FlexPoolScopeAutoConfiguration {
    /** Called by Spring. */
    public FlexPoolScopeAutoConfiguration() {}

    /** The request classes named in annotations. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedClasses flexPoolAnnotatedClasses() {
        return new AnnotatedClasses();
    }

    /** Opens the scopes of classes. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor flexPoolClassAdvisor(AnnotatedClasses classes) {
        return MethodScopes.advisor(classes);
    }

    /** Checks the names once the pools exist. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SmartInitializingSingleton flexPoolClassCheck(AnnotatedClasses classes, ObjectProvider<FlexPools> pools) {
        return () -> pools.ifAvailable(classes::check);
    }

    /** Makes the container create proxies, if no other configuration does. */
    static final class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }

    /** Active with transaction support and {@code flexpool.transaction-deadlines = true}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(AnnotationTransactionAttributeSource.class)
    @ConditionalOnBooleanProperty("flexpool.transaction-deadlines")
    static class WithTransactions {
        WithTransactions() {}

        /**
         * Opens a scope with a deadline around each transaction that has a timeout. Reads the annotations itself: the
         * container's reader may not exist yet when the first bean is checked.
         */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor flexPoolDeadlineAdvisor(ConfigurableBeanFactory beans) {
            AnnotationTransactionAttributeSource source = new AnnotationTransactionAttributeSource(false);
            source.setEmbeddedValueResolver(new EmbeddedValueResolver(beans));
            return MethodScopes.advisor(new Timeouts(source));
        }

        /** Sets a deadline for each transaction with a timeout. */
        private record Timeouts(AnnotationTransactionAttributeSource source) implements MethodScopes.Asked {
            @Override
            public boolean isCandidate(Class<?> type) {
                return source.isCandidateClass(type);
            }

            @Override
            public @Nullable PoolScope scope(Method method, Class<?> requestClass) {
                TransactionAttribute said = source.getTransactionAttribute(method, requestClass);
                return said == null || said.getTimeout() <= 0
                        ? null
                        : PoolScope.within(Duration.ofSeconds(said.getTimeout()));
            }
        }
    }
}
