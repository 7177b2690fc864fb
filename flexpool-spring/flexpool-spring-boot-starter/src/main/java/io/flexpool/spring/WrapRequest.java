// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The parameters of a wrapping.
 *
 * @param made collects the raw pools wrapped for this bean
 * @param shown the backends
 * @param insisted whether to wrap a data source of an unknown class too
 * @param byClass whether the proxy must have the pool's class
 * @param late whether the application runs already: then a refused pool does not stop it
 * @param configured the pool's name, if configured
 */
record WrapRequest(
        List<DataSource> made,
        Shown shown,
        boolean insisted,
        boolean byClass,
        boolean late,
        Optional<String> configured) {
    /**
     * The backends of all pools.
     *
     * @param providers configured by properties
     * @param binders provided by the application
     * @param own the pool's own meters
     */
    record Shown(List<MetricsProvider> providers, List<MetricsBinder> binders, List<OwnMeters> own) {}

    /** A copy for a target of this data source. */
    WrapRequest held(Optional<String> its) {
        return new WrapRequest(made, shown, false, false, late, its);
    }

    /** A copy for a running application. */
    WrapRequest lately() {
        return new WrapRequest(made, shown, insisted, byClass, true, configured);
    }
}
