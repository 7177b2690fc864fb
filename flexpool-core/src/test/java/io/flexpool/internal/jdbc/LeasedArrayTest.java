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
import java.sql.SQLNonTransientException;
import java.sql.Struct;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedArrayTest extends DelegationContract<Array> {
    LeasedArrayTest() {
        super(Array.class, 24, Set.of("free"));
    }

    @Override
    Leased<Array> over(Array target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedArray(target, lease), lease);
    }

    /** The driver may query the type of the elements on the connection, which the next borrower has by then. */
    @Test
    void afterTheLeaseItCanOnlyBeFreed() throws SQLException {
        Leased<Array> leased = leased();
        leased.lease().close();
        assertThatThrownBy(leased.delegate()::getArray)
                .isInstanceOf(SQLNonTransientException.class)
                .hasMessage(closed(Array.class));
        assertThatThrownBy(() -> LeasedValues.in(leased.delegate())).hasMessage(closed(Array.class));
        leased.delegate().free();
        verify(leased.target()).free();
    }

    @Test
    void aResultSetAmongItsElementsEndsWithTheLease() throws SQLException {
        Leased<Array> leased = leased();
        when(leased.target().getArray()).thenReturn(new ResultSet[] {mock(ResultSet.class)});
        Object[] held = (Object[]) leased.delegate().getArray();
        leased.lease().close();
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
