// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import io.flexpool.adapter.tck.PoolFaultContract;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * c3p0 connects in threads of its own, tries again after a second, and says nothing of it to those who wait: they get a
 * timeout without an SQLState. Only flexpool's report has it.
 */
class C3p0FaultsTest extends PoolFaultContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return C3p0AdapterTest.c3p0(database, max, timeout);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }
}
