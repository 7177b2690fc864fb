// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import java.sql.Blob;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedBlobTest extends DelegationContract<Blob> {
    LeasedBlobTest() {
        super(Blob.class, 24, Set.of("free"));
    }

    @Override
    Leased<Blob> over(Blob target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedBlob(target, lease), lease);
    }

    /** Drivers free it by the connection, in the transaction of the next borrower. */
    @Test
    void aLateFreeDoesNotReachTheTarget() throws SQLException {
        Leased<Blob> leased = leased();
        leased.delegate().free();
        verify(leased.target()).free();
        leased.lease().close();
        leased.delegate().free();
        verifyNoMoreInteractions(leased.target());
    }
}
