// SPDX-License-Identifier: Apache-2.0
/** A script of events, and the same figures expected from every backend. */
@NullMarked
package io.flexpool.metrics.tck;

import org.jspecify.annotations.NullMarked;
