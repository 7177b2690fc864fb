// SPDX-License-Identifier: Apache-2.0
/**
 * Shows a pool's figures in a Dropwizard {@code MetricRegistry}. No cost per connection: all metrics are read on
 * demand.
 */
@NullMarked
package io.flexpool.metrics.dropwizard;

import org.jspecify.annotations.NullMarked;
