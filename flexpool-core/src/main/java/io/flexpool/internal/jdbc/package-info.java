// SPDX-License-Identifier: Apache-2.0
/**
 * The connection that is handed out, and delegates of all that leads back from what it gives. Knows the pool only through
 * the interface Lease.
 */
@NullMarked
package io.flexpool.internal.jdbc;

import org.jspecify.annotations.NullMarked;
