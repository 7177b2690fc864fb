// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import io.flexpool.adapter.tck.contract.PoolSoakContract;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import javax.sql.DataSource;

class OwnPoolSoakTest extends PoolSoakContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return new OwnPool(database, max, timeout);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTimeoutException.class;
    }
}
