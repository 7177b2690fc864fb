// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.CallableStatement;
import org.jspecify.annotations.NullUnmarked;

/**
 * A callable statement of a watched lease: it keeps its text, so that reports show what runs. A separate class, because
 * a fourth reference makes the object 32 bytes instead of 24.
 */
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
