// SPDX-License-Identifier: Apache-2.0
/** Steady load with bursts: what a pool loses, bare and wrapped, and what it holds for it. */
@NullMarked
package io.flexpool.benchmarks.burst;

import org.jspecify.annotations.NullMarked;
