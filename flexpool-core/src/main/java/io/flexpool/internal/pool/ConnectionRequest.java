// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a request asks the pool for a connection. */
@FunctionalInterface
interface ConnectionRequest {
    /** Asks once. */
    @Nullable
    Connection open(DataSource target) throws SQLException;
}
