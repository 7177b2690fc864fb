// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.flexpool.internal.jdbc.LeasedClob.LeasedNClob;
import java.sql.NClob;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedNClobTest extends DelegationContract<NClob> {
    LeasedNClobTest() {
        super(NClob.class, 24, Set.of("free"));
    }

    @Override
    Leased<NClob> over(NClob target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedNClob(target, lease), lease);
    }

    /** Drivers free it by the connection, in the transaction of the next borrower. */
    @Test
    void aLateFreeDoesNotReachTheTarget() throws SQLException {
        Leased<NClob> leased = leased();
        leased.delegate().free();
        verify(leased.target()).free();
        leased.lease().close();
        leased.delegate().free();
        verifyNoMoreInteractions(leased.target());
    }
}
