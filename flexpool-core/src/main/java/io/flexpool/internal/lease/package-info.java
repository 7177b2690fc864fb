// SPDX-License-Identifier: Apache-2.0
/**
 * Open leases: which thread holds a connection, since when and from which call site; nested acquisitions; leaks. The
 * leased connection is in {@code jdbc}; statistics of ended leases are in {@code record}.
 */
@NullMarked
package io.flexpool.internal.lease;

import org.jspecify.annotations.NullMarked;
