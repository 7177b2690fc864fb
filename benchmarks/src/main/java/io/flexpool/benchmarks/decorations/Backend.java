// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.monitoring.MetricsBinder;
import java.io.Closeable;
import java.util.function.IntSupplier;

/**
 * Where flexpool shows its figures.
 *
 * @param binder what flexpool is given
 * @param scrape reads all figures once, as the backend's reporter would; returns how many it read
 * @param end closes the backend's resources; called after the pool is closed
 */
public record Backend(MetricsBinder binder, IntSupplier scrape, Closeable end) {
    static Backend of(MetricsBinder binder, IntSupplier scrape) {
        return new Backend(binder, scrape, () -> {});
    }
}
