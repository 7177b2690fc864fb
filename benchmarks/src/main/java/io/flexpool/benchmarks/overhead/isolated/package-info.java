// SPDX-License-Identifier: Apache-2.0
/** What runs in a class loader of its own: the cycle of open and close, and the ideal decorator. */
@NullMarked
package io.flexpool.benchmarks.overhead.isolated;

import org.jspecify.annotations.NullMarked;
