// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jmx.JmxReporter;
import org.junit.jupiter.api.Test;

/** These tests run with two versions; this one checks that the intended version is used. */
class VersionTest {
    @Test
    void theIntendedVersionIsTested() {
        String version = System.getProperty("expected.dropwizard.version");
        for (Class<?> type : new Class<?>[] {MetricRegistry.class, JmxReporter.class}) {
            assertThat(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                    .endsWith("-" + version + ".jar");
        }
    }
}
