// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.PreparedStatement;

class LeasedPreparedStatementTest extends StatementContract<PreparedStatement> {
    LeasedPreparedStatementTest() {
        super(PreparedStatement.class);
    }

    @Override
    Leased<PreparedStatement> over(PreparedStatement target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedPreparedStatement(target, lease), lease);
    }
}
