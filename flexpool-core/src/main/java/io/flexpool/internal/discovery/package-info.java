// SPDX-License-Identifier: Apache-2.0
/**
 * Adapters and metrics backends on the class path, and the adapter for a pool that has none. What they do is theirs.
 */
@NullMarked
package io.flexpool.internal.discovery;

import org.jspecify.annotations.NullMarked;
