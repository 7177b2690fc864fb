// SPDX-License-Identifier: Apache-2.0
/**
 * The view of the database server: when a look is taken, on which connection, and which session is whose. What follows
 * from it is decided above.
 */
@NullMarked
package io.flexpool.internal.server;

import org.jspecify.annotations.NullMarked;
