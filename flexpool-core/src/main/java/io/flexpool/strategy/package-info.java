// SPDX-License-Identifier: Apache-2.0
/** Strategies: what to do if an acquisition cannot be served at once, or an attempt failed. */
@NullMarked
package io.flexpool.strategy;

import org.jspecify.annotations.NullMarked;
