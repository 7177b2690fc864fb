// SPDX-License-Identifier: Apache-2.0
/** Tests of what virtual threads are measured with. */
@NullMarked
package io.flexpool.benchmarks.virtualthreads;

import org.jspecify.annotations.NullMarked;
