// SPDX-License-Identifier: Apache-2.0
/** Leases belong to the coroutine that took them, on whatever thread it goes on. */
@NullMarked
package io.flexpool.kotlin;

import org.jspecify.annotations.NullMarked;
