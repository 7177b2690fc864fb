// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.ValidConnectionChecker;
import java.sql.Connection;
import java.util.Properties;

/** Druid has checkers for the databases that it knows, and for others a query: this one asks the driver. */
final class AliveChecker implements ValidConnectionChecker {
    @Override
    public boolean isValidConnection(Connection connection, String query, int timeoutSeconds) throws Exception {
        return connection.isValid(1);
    }

    @Override
    public void configFromProperties(Properties properties) {}
}
