// SPDX-License-Identifier: Apache-2.0
/** The server view for PostgreSQL 12 to 18. */
@NullMarked
package io.flexpool.server.postgresql;

import org.jspecify.annotations.NullMarked;
