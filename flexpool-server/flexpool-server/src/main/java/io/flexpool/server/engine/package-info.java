// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of the server view: schedules queries, opens the diagnostic connection, finds the sessions of leases, and
 * words the explanation. Also checks for writers that have become readers. Loaded as services; nothing to call.
 */
@NullMarked
package io.flexpool.server.engine;

import org.jspecify.annotations.NullMarked;
