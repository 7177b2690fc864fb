// SPDX-License-Identifier: Apache-2.0
/** Reads from PgBouncer's console how many clients wait inside PgBouncer. Loaded as a service; nothing to call. */
@NullMarked
package io.flexpool.server.pgbouncer;

import org.jspecify.annotations.NullMarked;
