// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The artifacts that a release publishes, beside the bill of materials, which another test compares with them. Each is a promise: a jar, its name and its public types
 * stay for as long as the version line does.
 */
class ArtifactsTest {
    /** 29 with flexpool-session: what it needs of a driver and of SQL does not belong to core. */
    private static final int MAX = 29;

    private static final List<String> ARTIFACTS = List.of(
            "flexpool-adapter-agroal",
            "flexpool-adapter-atomikos",
            "flexpool-adapter-c3p0",
            "flexpool-adapter-dbcp2",
            "flexpool-adapter-druid",
            "flexpool-adapter-hikaricp",
            "flexpool-adapter-tck",
            "flexpool-adapter-tomcat",
            "flexpool-adapter-ucp",
            "flexpool-adapter-vibur",
            "flexpool-advisor",
            "flexpool-core",
            "flexpool-dropwizard",
            "flexpool-fleet",
            "flexpool-fleet-redis",
            "flexpool-framework-common",
            "flexpool-hibernate",
            "flexpool-junit5",
            "flexpool-metrics-dropwizard",
            "flexpool-metrics-jdk",
            "flexpool-metrics-micrometer",
            "flexpool-metrics-opentelemetry",
            "flexpool-metrics-prometheus",
            "flexpool-micronaut",
            "flexpool-quarkus",
            "flexpool-quarkus-deployment",
            "flexpool-server",
            "flexpool-session",
            "flexpool-spring-boot-starter");

    @Test
    void thePublishedArtifactsAreThese() {
        assertThat(Reactor.published().keySet())
                .containsExactlyInAnyOrderElementsOf(ARTIFACTS)
                .hasSizeLessThanOrEqualTo(MAX);
    }
}
