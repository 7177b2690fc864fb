// SPDX-License-Identifier: Apache-2.0
/**
 * The leased connection, and delegates for all JDBC objects that lead back to it. Depends on the pool only through
 * {@link LeaseOwner}. The delegates are null-unmarked, because JDBC allows null almost anywhere. Time in the database
 * is measured at JDBC's boundaries; {@code next()} and getters are not: two clock readings cost more than most rows.
 */
@NullMarked
package io.flexpool.internal.jdbc;

import org.jspecify.annotations.NullMarked;
