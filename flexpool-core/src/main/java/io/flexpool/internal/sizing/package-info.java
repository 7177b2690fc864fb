// SPDX-License-Identifier: Apache-2.0
/**
 * The size of a pool: deterministic policies that take windows of figures and return a limit. No class here reads a
 * clock, starts a thread or changes a pool; {@code resize} feeds the policies and moves the limit.
 */
@NullMarked
package io.flexpool.internal.sizing;

import org.jspecify.annotations.NullMarked;
