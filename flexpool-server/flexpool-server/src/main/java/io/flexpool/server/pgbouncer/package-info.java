// SPDX-License-Identifier: Apache-2.0
/** How many clients wait inside a PgBouncer in front of the database, by its console. Found as a service; nothing to call. */
@NullMarked
package io.flexpool.server.pgbouncer;

import org.jspecify.annotations.NullMarked;
