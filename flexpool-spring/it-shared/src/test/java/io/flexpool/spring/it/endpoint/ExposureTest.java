// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.PoolMode;
import io.flexpool.spring.FlexPools;
import io.flexpool.spring.actuator.FlexPoolEndpoint;
import io.flexpool.spring.actuator.FlexPoolEndpointAutoConfiguration;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Exposure and access follow the actuator's rules. */
@Timeout(300)
class ExposureTest {
    private static final String INCLUDE = "management.endpoints.web.exposure.include=";

    /** By name, as Spring Boot imports it: types of the class's annotations may be missing. */
    @ImportAutoConfiguration(FlexPoolEndpointAutoConfiguration.class)
    static class Imported {}

    private final WebApplicationContextRunner runner =
            new WebApplicationContextRunner().withBean(FlexPools.class).withUserConfiguration(Imported.class);

    @Test
    void anUnexposedEndpointDoesNotExist() {
        runner.run(context -> assertThat(context).doesNotHaveBean(FlexPoolEndpoint.class));
        runner.withPropertyValues(INCLUDE + "*")
                .run(context -> assertThat(context).hasSingleBean(FlexPoolEndpoint.class));
        runner.withPropertyValues(INCLUDE + "*", "management.endpoint.flexpool.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(FlexPoolEndpoint.class));
    }

    @Test
    void anApplicationWithoutTheActuatorStartsWithoutIt() {
        runner.withPropertyValues(INCLUDE + "*")
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("flexPoolEndpoint"));
    }

    /** Without any key, and with Spring Boot's own key for it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "management.endpoint.flexpool.access=read-only"})
    void readOnlyAccessDoesNotChange(String access) throws Exception {
        try (RunningPools pools = RunningPools.start(access.isEmpty() ? new String[0] : new String[] {access})) {
            assertThat(Answer.get(pools.endpoint()).status()).isEqualTo(200);
            assertThat(Answer.get(URI.create(pools.endpoint() + "/ui")).status())
                    .isEqualTo(200);
            assertThat(Answer.post(URI.create(pools.endpoint() + "/orders"), "{\"base\":3}")
                            .status())
                    .isEqualTo(405);
            assertThat(pools.pool("orders").state().base()).isEqualTo(2);
            assertThat(Answer.post(URI.create(pools.endpoint() + "/orders"), "{\"mode\":\"adapt\"}")
                            .status())
                    .isEqualTo(405);
            assertThat(pools.pool("orders").mode()).isEqualTo(PoolMode.RECOMMEND);
            assertThat(Answer.post(pools.endpoint(), "{\"pool\":\"orders\",\"base\":3}")
                            .status())
                    .isEqualTo(405);
            assertThat(pools.pool("orders").state().base()).isEqualTo(2);
        }
    }

    /** For this endpoint, or for all of them. */
    @ParameterizedTest
    @ValueSource(strings = {RunningPools.WRITABLE, "management.endpoints.access.default=unrestricted"})
    void onlyAKeyOpensTheWriteOperations(String access) throws Exception {
        try (RunningPools pools = RunningPools.start(access)) {
            assertThat(Answer.post(URI.create(pools.endpoint() + "/orders"), "{\"base\":3}")
                            .status())
                    .isEqualTo(200);
            assertThat(pools.pool("orders").state().base()).isEqualTo(3);
        }
    }

    /** Spring refuses it before it looks for a handler, so no endpoint can answer: an address of nobody gets the same. */
    @Test
    void aFormWithoutABoundaryIsRefusedBySpringItself() throws Exception {
        try (RunningPools pools = RunningPools.start(RunningPools.WRITABLE)) {
            URI orders = URI.create(pools.endpoint() + "/orders");
            Answer ofNobody = Answer.postWithoutBoundary(orders.resolve("/nothing-is-here"));
            assertThat(Answer.get(orders.resolve("/nothing-is-here")).status()).isEqualTo(404);
            assertThat(ofNobody.status()).isEqualTo(500);
            assertThat(Answer.postWithoutBoundary(orders).status()).isEqualTo(ofNobody.status());
            assertThat(pools.pool("orders").state().base()).isEqualTo(2);
        }
    }

    /** A native image contains only registered resources. */
    @Test
    void hintsContainThePagesParts() {
        RuntimeHints hints = new RuntimeHints();
        ImportRuntimeHints imported = FlexPoolEndpointAutoConfiguration.class.getAnnotation(ImportRuntimeHints.class);
        for (Class<? extends RuntimeHintsRegistrar> registrar : imported.value()) {
            BeanUtils.instantiateClass(registrar)
                    .registerHints(hints, getClass().getClassLoader());
        }
        for (String part : new String[] {"page.html", "page.css", "words.js", "page.js"}) {
            assertThat(RuntimeHintsPredicates.resource().forResource("io/flexpool/spring/actuator/page/" + part))
                    .accepts(hints);
        }
    }
}
