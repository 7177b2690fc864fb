// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import org.junit.jupiter.api.Test;

/** These tests run with two versions; this one checks that the intended version is used. */
class VersionTest {
    @Test
    void theIntendedVersionIsTested() {
        String version = System.getProperty("expected.opentelemetry.version");
        for (Class<?> type : new Class<?>[] {OpenTelemetry.class, SdkMeterProvider.class}) {
            assertThat(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                    .endsWith("-" + version + ".jar");
        }
    }
}
