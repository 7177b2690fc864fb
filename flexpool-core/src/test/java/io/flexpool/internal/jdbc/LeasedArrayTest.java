// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedArrayTest extends DelegationContract<Array> {
    LeasedArrayTest() {
        super(Array.class, 24, Set.of("getArray", "getBaseType", "getBaseTypeName", "free"));
    }

    @Override
    Leased<Array> over(Array target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedArray(target, lease), lease);
    }

    /** Applications keep arrays, and on the bare pool they can. */
    @Test
    void whatItHoldsCanBeReadAfterTheLease() throws SQLException {
        Leased<Array> leased = leased();
        Integer[] held = {1, 2};
        when(leased.target().getArray()).thenReturn(held);
        when(leased.target().getBaseTypeName()).thenReturn("int4");
        leased.lease().close();
        assertThat(leased.delegate().getArray()).isSameAs(held);
        assertThat(leased.delegate().getBaseTypeName()).isEqualTo("int4");
        leased.delegate().free();
        verify(leased.target()).free();
    }

    @Test
    void aResultSetAmongWhatItHoldsHasEndedWithTheLease() throws SQLException {
        Leased<Array> leased = leased();
        when(leased.target().getArray()).thenReturn(new ResultSet[] {mock(ResultSet.class)});
        leased.lease().close();
        Object[] held = (Object[]) leased.delegate().getArray();
        assertThat(held).isInstanceOf(ResultSet[].class);
        assertThatThrownBy(((ResultSet) held[0])::next).hasMessage(closed(ResultSet.class));
    }

    /** No wrapper is of the driver's own class, so that no array of that class can hold one. */
    @Test
    void anArrayOfADriversClassBecomesOneOfObjects() throws SQLException {
        Leased<Array> leased = leased();
        DriversStruct[] held = {mock(DriversStruct.class)};
        when(leased.target().getArray()).thenReturn(held);
        Object[] out = (Object[]) leased.delegate().getArray();
        assertThat(out.getClass()).isEqualTo(Object[].class);
        assertThat(out[0]).isInstanceOf(LeasedStruct.class);
        assertThat(held[0]).as("the driver's array stays").isNotInstanceOf(LeasedStruct.class);
    }

    /** A driver's own. */
    interface DriversStruct extends Struct {}
}
