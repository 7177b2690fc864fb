// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.ResultSetMetaData;
import java.util.Set;

class LeasedResultSetMetaDataTest extends DelegationContract<ResultSetMetaData> {
    LeasedResultSetMetaDataTest() {
        super(ResultSetMetaData.class, 24, Set.of());
    }

    @Override
    Leased<ResultSetMetaData> over(ResultSetMetaData target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, LeasedResultSetMetaData.of(target, lease), lease);
    }
}
