// SPDX-License-Identifier: Apache-2.0
/** Thousands of virtual threads on a few connections. */
@NullMarked
package io.flexpool.benchmarks.virtualthreads;

import org.jspecify.annotations.NullMarked;
