// SPDX-License-Identifier: Apache-2.0
/** Runs in its own class loader: the cycle of open and close, and the ideal decorator. */
@NullMarked
package io.flexpool.benchmarks.overhead.isolated;

import org.jspecify.annotations.NullMarked;
