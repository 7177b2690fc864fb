// SPDX-License-Identifier: Apache-2.0
/**
 * A failed acquisition: its reason, its report, the explanation and the exception that the caller gets. What a pool's own
 * exceptions mean is known by its adapter; whether a request is tried again is decided by the caller.
 */
@NullMarked
package io.flexpool.internal.failure;

import org.jspecify.annotations.NullMarked;
