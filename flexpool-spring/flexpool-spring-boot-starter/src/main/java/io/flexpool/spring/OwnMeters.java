// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.monitoring.MetricsBinder;
import java.util.Optional;
import javax.sql.DataSource;

/** Corrects the own meters of a kind of pool, beside flexpool's. */
interface OwnMeters {
    /**
     * Corrects the own meters of one pool.
     *
     * @param pool the raw pool, before it is wrapped
     * @return a binder for the pool; empty for another kind of pool, without such meters, or if they cannot be changed
     */
    Optional<MetricsBinder> of(DataSource pool);
}
