// SPDX-License-Identifier: Apache-2.0
/** Shows flexpool's own figures in a Micrometer MeterRegistry. */
@NullMarked
package io.flexpool.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
