// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.CallableStatement;
import org.jspecify.annotations.NullUnmarked;

/** As a {@link NotedPreparedStatement}, of a callable statement. */
@NullUnmarked
final class NotedCallableStatement extends LeasedCallableStatement {
    private final String sql;

    NotedCallableStatement(CallableStatement target, LeasedConnection connection, String sql) {
        super(target, connection);
        this.sql = sql;
    }

    @Override
    String sql() {
        return sql;
    }
}
