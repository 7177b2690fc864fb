// SPDX-License-Identifier: Apache-2.0
/**
 * Discovery of adapters and metrics backends on the class path, and the adapter for a pool that has none.
 */
@NullMarked
package io.flexpool.internal.discovery;

import org.jspecify.annotations.NullMarked;
