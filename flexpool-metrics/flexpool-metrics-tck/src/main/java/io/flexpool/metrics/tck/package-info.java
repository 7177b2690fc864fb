// SPDX-License-Identifier: Apache-2.0
/** One script of events and the same figures from every backend. */
@NullMarked
package io.flexpool.metrics.tck;

import org.jspecify.annotations.NullMarked;
