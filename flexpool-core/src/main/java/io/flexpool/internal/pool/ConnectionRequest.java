// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The call by which a request gets a connection from the pool. */
@FunctionalInterface
interface ConnectionRequest {
    @Nullable
    Connection open(DataSource target) throws SQLException;
}
