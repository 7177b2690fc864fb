// SPDX-License-Identifier: Apache-2.0
/** A thousand times open and close: pooled against unpooled. */
@NullMarked
package io.flexpool.benchmarks.openclose;

import org.jspecify.annotations.NullMarked;
