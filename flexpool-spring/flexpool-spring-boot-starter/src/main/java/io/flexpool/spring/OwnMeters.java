// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.monitoring.MetricsBinder;
import java.util.Optional;
import javax.sql.DataSource;

/** The meters that a kind of pool has by itself, beside flexpool's. */
interface OwnMeters {
    /**
     * Keeps the own meters of one pool right.
     *
     * @param pool the raw pool, before it is wrapped
     * @return to be bound to it; empty for another kind of pool, one without such meters, or if they cannot be changed
     */
    Optional<MetricsBinder> of(DataSource pool);
}
