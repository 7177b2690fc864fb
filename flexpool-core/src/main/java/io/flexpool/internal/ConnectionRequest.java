// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a connection is asked of the data source, where it is not the plain {@code getConnection()}. */
@FunctionalInterface
interface ConnectionRequest {
    /** Asks for a connection, once for each attempt. */
    @Nullable
    Connection open(DataSource target) throws SQLException;
}
