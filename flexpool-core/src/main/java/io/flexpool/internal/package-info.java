// SPDX-License-Identifier: Apache-2.0
/**
 * One acquisition from the call to the end of its lease, the loop that ticks all pools, and the life of a wrapped pool. What one of
 * these steps is made of has a room of its own below; nothing here or there is API, and the module exports none of it.
 *
 * <p>The rooms, each of which knows only those before it: {@code shared}, {@code jdbc}, {@code sizing}, {@code event},
 * {@code record}, {@code gate}, {@code discovery}, {@code config}, {@code context}, {@code lease}, {@code resize},
 * {@code failure}.
 */
@NullMarked
package io.flexpool.internal;

import org.jspecify.annotations.NullMarked;
