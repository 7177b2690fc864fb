// SPDX-License-Identifier: Apache-2.0
/**
 * One pool: an acquisition from the call to the end of its lease, the loop that ticks all pools, the parts of a pool,
 * and its life: warm-up, pause, eviction, drain, close. The steps of an acquisition have a package each below this one.
 *
 * <p>The internal packages; each depends only on packages before it: {@code shared}, {@code jdbc}, {@code sizing},
 * {@code event}, {@code record}, {@code gate}, {@code config}, {@code context}, {@code lease}, {@code resize},
 * {@code failure}, {@code pool}. None of them is API, and the module exports none of them to applications.
 */
@NullMarked
package io.flexpool.internal.pool;

import org.jspecify.annotations.NullMarked;
