// SPDX-License-Identifier: Apache-2.0
/** What size the pool should have: deterministic policies that are fed with windows and only decide. */
@NullMarked
package io.flexpool.sizing;

import org.jspecify.annotations.NullMarked;
