// SPDX-License-Identifier: Apache-2.0
/**
 * How many connections a pool needs, and what it did over the last hour, as a reader of the pool gets it:
 * {@code pool.view(PoolAdvice.class)}, {@code pool.view(PoolHistory.class)}. The parts that work it out are in the module
 * {@code flexpool-advisor}.
 */
@NullMarked
package io.flexpool.advice;

import org.jspecify.annotations.NullMarked;
