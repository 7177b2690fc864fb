// SPDX-License-Identifier: Apache-2.0
/**
 * The gate: how many requests may be inside the pool at once, and in what order those that must wait are let in. It knows
 * permits and waiters only; why a limit moves is decided in {@code resize}, and what a waiter does meanwhile by the caller.
 */
@NullMarked
package io.flexpool.internal.gate;

import org.jspecify.annotations.NullMarked;
