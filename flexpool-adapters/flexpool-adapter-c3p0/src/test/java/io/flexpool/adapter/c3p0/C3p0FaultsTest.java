// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.PoolBackedDataSource;
import com.mchange.v2.c3p0.WrapperConnectionPoolDataSource;
import io.flexpool.adapter.tck.contract.PoolFaultContract;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * c3p0 connects in its own threads, retries after a second, and does not report failures to waiting requests: they get
 * a timeout without an SQLState. Only flexpool's report has it. A connection that broke while idle stays until it is
 * borrowed, or until the idle ones are tested, which c3p0 does only if configured.
 */
class C3p0FaultsTest extends PoolFaultContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        PoolBackedDataSource pool = C3p0AdapterTest.c3p0(database, max, timeout);
        ((WrapperConnectionPoolDataSource) pool.getConnectionPoolDataSource()).setIdleConnectionTestPeriod(1);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }
}
