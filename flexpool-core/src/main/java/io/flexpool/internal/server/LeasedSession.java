// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import java.sql.Connection;
import java.util.function.BooleanSupplier;

/**
 * A leased connection, whose session in the server a look shall find.
 *
 * @param lease the number of the lease, which no other one of the pool has
 * @param connection what the application holds; it may close it at any moment
 * @param acquiredNanos when the lease began
 * @param goesOn whether the lease has not ended
 */
public record LeasedSession(long lease, Connection connection, long acquiredNanos, BooleanSupplier goesOn) {}
