// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Struct;
import java.util.Map;
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

    /** The driver makes objects of the map's classes with its connection, which the next borrower has by then. */
    @Test
    void aMapOfTypesIsRefusedAfterTheLease() throws SQLException {
        Leased<Struct> leased = leased();
        leased.lease().close();
        assertThatThrownBy(() -> leased.delegate().getAttributes(Map.of()))
                .isInstanceOf(SQLNonTransientException.class)
                .hasMessage(closed(Struct.class));
        verify(leased.target(), never()).getAttributes(any());
    }
}
