// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.metrics.prometheus.PrometheusMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** flexpool's figures in a registry of the Prometheus client. */
public final class PrometheusBackend {
    private PrometheusBackend() {}

    /**
     * With classic and native histograms.
     *
     * @return the backend, with its own registry
     */
    public static Backend create() {
        PrometheusRegistry registry = new PrometheusRegistry();
        return Backend.of(
                PrometheusMetrics.into(registry), () -> registry.scrape().size());
    }
}
