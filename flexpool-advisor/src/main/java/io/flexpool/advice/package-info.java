// SPDX-License-Identifier: Apache-2.0
/**
 * The size that a pool needs, and its figures of the last hour: {@code pool.view(PoolAdvice.class)},
 * {@code pool.view(PoolHistory.class)}. The module {@code flexpool-advisor} calculates them.
 */
@NullMarked
package io.flexpool.advice;

import org.jspecify.annotations.NullMarked;
