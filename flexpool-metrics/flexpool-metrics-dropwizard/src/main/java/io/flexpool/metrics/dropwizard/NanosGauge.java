// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Gauge;
import org.jspecify.annotations.Nullable;

/** A gauge of nanoseconds, which reporters report as they are: they convert timers alone. */
interface NanosGauge extends Gauge<@Nullable Number> {}
