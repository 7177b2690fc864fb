// SPDX-License-Identifier: Apache-2.0
/** Shows flexpool's own figures to the Prometheus Java client 1.x. */
@NullMarked
package io.flexpool.metrics.prometheus;

import org.jspecify.annotations.NullMarked;
