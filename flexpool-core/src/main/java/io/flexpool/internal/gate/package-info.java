// SPDX-License-Identifier: Apache-2.0
/**
 * The gate: how many requests may be inside the pool at once, and in what order waiting ones enter. It knows permits
 * and waiters only; {@code resize} decides when a limit moves, and the caller what a waiter does meanwhile.
 */
@NullMarked
package io.flexpool.internal.gate;

import org.jspecify.annotations.NullMarked;
