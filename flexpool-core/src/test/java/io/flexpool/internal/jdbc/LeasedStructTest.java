// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import java.sql.SQLException;
import java.sql.Struct;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedStructTest extends DelegationContract<Struct> {
    LeasedStructTest() {
        super(Struct.class, 24, Set.of("getSQLTypeName", "getAttributes"));
    }

    @Override
    Leased<Struct> over(Struct target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedStruct(target, lease), lease);
    }

    @Test
    void whatItHoldsCanBeReadAfterTheLease() throws SQLException {
        Leased<Struct> leased = leased();
        Object[] held = {1, "a"};
        when(leased.target().getAttributes()).thenReturn(held);
        when(leased.target().getSQLTypeName()).thenReturn("pair");
        leased.lease().close();
        assertThat(leased.delegate().getAttributes()).isSameAs(held);
        assertThat(leased.delegate().getSQLTypeName()).isEqualTo("pair");
    }
}
