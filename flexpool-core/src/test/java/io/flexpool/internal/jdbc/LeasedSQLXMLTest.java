// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedSQLXMLTest extends DelegationContract<SQLXML> {
    LeasedSQLXMLTest() {
        super(SQLXML.class, 24, Set.of("free"));
    }

    @Override
    Leased<SQLXML> over(SQLXML target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedSQLXML(target, lease), lease);
    }

    /** Drivers free it by the connection, in the transaction of the next borrower. */
    @Test
    void aLateFreeDoesNotReachTheTarget() throws SQLException {
        Leased<SQLXML> leased = leased();
        leased.delegate().free();
        verify(leased.target()).free();
        leased.lease().close();
        leased.delegate().free();
        verifyNoMoreInteractions(leased.target());
    }
}
