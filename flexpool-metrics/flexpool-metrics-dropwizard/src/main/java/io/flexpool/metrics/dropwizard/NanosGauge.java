// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Gauge;
import org.jspecify.annotations.Nullable;

/** A gauge of nanoseconds, which reporters do not convert: they convert only timers. */
interface NanosGauge extends Gauge<@Nullable Number> {}
