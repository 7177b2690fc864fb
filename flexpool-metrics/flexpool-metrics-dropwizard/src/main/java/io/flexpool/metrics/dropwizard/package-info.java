// SPDX-License-Identifier: Apache-2.0
/** Shows a pool's figures in a Dropwizard {@code MetricRegistry}. Nothing happens per connection: everything is read. */
@NullMarked
package io.flexpool.metrics.dropwizard;

import org.jspecify.annotations.NullMarked;
