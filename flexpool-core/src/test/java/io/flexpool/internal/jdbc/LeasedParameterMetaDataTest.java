// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.ParameterMetaData;
import java.util.Set;

class LeasedParameterMetaDataTest extends DelegationContract<ParameterMetaData> {
    LeasedParameterMetaDataTest() {
        super(ParameterMetaData.class, 24, Set.of());
    }

    @Override
    Leased<ParameterMetaData> over(ParameterMetaData target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, LeasedParameterMetaData.of(target, lease), lease);
    }
}
