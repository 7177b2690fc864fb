// SPDX-License-Identifier: Apache-2.0
/** Every pool that flexpool knows, wrapped: the examples of docs/reference/pools.md, one class each. */
@NullMarked
package io.flexpool.examples.pools;

import org.jspecify.annotations.NullMarked;
