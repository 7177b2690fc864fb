// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Ref;
import java.util.Set;

class LeasedRefTest extends DelegationContract<Ref> {
    LeasedRefTest() {
        super(Ref.class, 24, Set.of());
    }

    @Override
    Leased<Ref> over(Ref target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedRef(target, lease), lease);
    }
}
