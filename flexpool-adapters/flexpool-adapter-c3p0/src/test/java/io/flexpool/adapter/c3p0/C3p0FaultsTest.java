// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import io.flexpool.adapter.tck.PoolFaultContract;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

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
