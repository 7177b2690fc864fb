// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static io.flexpool.Eventually.eventually;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.AcquisitionOutcome;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The backends in an application's class loader: once its pool is closed, the JDK does not reference it. */
class RedeployTest {
    private static final ScriptedPool POOL = new ScriptedPool("orders");

    /** The application's use of its backend. */
    private static WeakReference<ClassLoader> deploy(Class<?> provider) throws Exception {
        ClassLoader application = new LoadedAgain(name -> false);
        MetricsProvider again = (MetricsProvider)
                application.loadClass(provider.getName()).getConstructor().newInstance();
        Binding binding = again.create(new ConfigKey.Values(Map.of())).bind(POOL);
        binding.observer().acquired(0, TimeUnit.SECONDS.toNanos(1), AcquisitionOutcome.OK);
        binding.observer().released(0, TimeUnit.SECONDS.toNanos(1));
        binding.unbind();
        return new WeakReference<>(application);
    }

    private static void collected(WeakReference<ClassLoader> loader) {
        eventually(() -> {
            System.gc();
            return loader.get() == null;
        });
    }

    @ParameterizedTest
    @ValueSource(classes = {JmxProvider.class, JfrProvider.class})
    void theClassLoaderIsCollected(Class<?> provider) throws Exception {
        collected(deploy(provider));
    }

    @Test
    void theClassLoaderIsCollectedAfterARecording() throws Exception {
        WeakReference<ClassLoader> loader;
        try (Recording recording = new Recording()) {
            recording.start();
            loader = deploy(JfrProvider.class);
            recording.stop();
        }
        collected(loader);
    }
}
