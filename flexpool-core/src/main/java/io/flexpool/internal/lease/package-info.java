// SPDX-License-Identifier: Apache-2.0
/**
 * Open leases: who holds a connection since when and from which call site, nested acquisitions, and leases that do not end.
 * The connection that is handed out is in {@code jdbc}; what is counted of ended leases is in {@code record}.
 */
@NullMarked
package io.flexpool.internal.lease;

import org.jspecify.annotations.NullMarked;
