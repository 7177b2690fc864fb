// SPDX-License-Identifier: Apache-2.0
/**
 * What size a pool should have: deterministic policies that take windows of figures and return a limit. Nothing here reads a
 * clock, starts a thread or touches a pool; who feeds the policies and moves the limit is {@code resize}.
 */
@NullMarked
package io.flexpool.internal.sizing;

import org.jspecify.annotations.NullMarked;
