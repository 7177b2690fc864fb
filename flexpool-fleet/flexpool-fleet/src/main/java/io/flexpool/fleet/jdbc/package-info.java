// SPDX-License-Identifier: Apache-2.0
/** Fleets in the database: PostgreSQL, MySQL and MariaDB. */
@NullMarked
package io.flexpool.fleet.jdbc;

import org.jspecify.annotations.NullMarked;
