// SPDX-License-Identifier: Apache-2.0
/**
 * How many connections a pool needs, as a reader of the pool gets it: {@code pool.view(PoolAdvice.class)}. The part that works it out
 * is in the module {@code flexpool-advisor}.
 */
@NullMarked
package io.flexpool.advice;

import org.jspecify.annotations.NullMarked;
