// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.AcquisitionOutcome;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With only OpenTelemetry's API on the class path, everything that needs no more works. */
class WithoutSdkTest {
    private static final String PACKAGE = "io.flexpool.metrics.opentelemetry.";

    private final ClassLoader apiOnly = new ApiOnly();

    @Test
    void pullingNeedsTheSdk() {
        assertThatThrownBy(() -> apiOnly.loadClass(PACKAGE + "PoolMetricProducer"))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessageContaining("io/opentelemetry/sdk");
    }

    @Test
    void pushingDoesNot() throws ReflectiveOperationException {
        Object metrics = apiOnly.loadClass(PACKAGE + "OpenTelemetryMetrics")
                .getMethod("into", OpenTelemetry.class)
                .invoke(null, OpenTelemetry.noop());
        use((MetricsBinder) metrics);
    }

    @Test
    void tracingDoesNot() throws ReflectiveOperationException {
        Object tracing = apiOnly.loadClass(PACKAGE + "OpenTelemetryTracing")
                .getMethod("above", OpenTelemetry.class, Duration.class)
                .invoke(null, OpenTelemetry.noop(), Duration.ZERO);
        use((MetricsBinder) tracing);
    }

    @Test
    void theProviderDoesNot() throws ReflectiveOperationException {
        Object provider = apiOnly.loadClass(PACKAGE + "OpenTelemetryProvider")
                .getConstructor()
                .newInstance();
        assertThat(provider.getClass()).isNotSameAs(OpenTelemetryProvider.class);
        Map<String, Object> values = Map.of("spans-above", Duration.ZERO);
        use(((MetricsProvider) provider).create(new ConfigKey.Values(values)));
    }

    private static void use(MetricsBinder binder) {
        Binding binding = binder.bind(new ScriptedPool("orders"));
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            binding.observer().acquired(0, 1_000_000, outcome);
        }
        binding.observer().released(0, 1_000_000);
        assertThat(binding.traceId()).isNull();
        binding.unbind();
    }

    /** Reloads this module's classes, as on a class path without the SDK. */
    private static final class ApiOnly extends ClassLoader {
        ApiOnly() {
            super(WithoutSdkTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("io.opentelemetry.sdk.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineAgain(name);
        }

        private Class<?> defineAgain(String name) throws ClassNotFoundException {
            try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (bytes == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
