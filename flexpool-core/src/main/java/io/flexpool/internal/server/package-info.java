// SPDX-License-Identifier: Apache-2.0
/**
 * The view of the database server: when a look is taken, on which connection, and which session belongs to which lease.
 * {@code internal.failure} decides what follows from it.
 */
@NullMarked
package io.flexpool.internal.server;

import org.jspecify.annotations.NullMarked;
