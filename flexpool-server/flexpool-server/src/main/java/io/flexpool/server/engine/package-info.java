// SPDX-License-Identifier: Apache-2.0
/**
 * The engine of the server view: when a look is taken, on which connection, which session belongs to which lease, and what an
 * explanation says of it; and the check of writers that became readers. Found as services; nothing to call.
 */
@NullMarked
package io.flexpool.server.engine;

import org.jspecify.annotations.NullMarked;
