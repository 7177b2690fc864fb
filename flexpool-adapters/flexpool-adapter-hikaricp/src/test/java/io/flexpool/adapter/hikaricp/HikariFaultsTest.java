// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.flexpool.adapter.tck.contract.PoolFaultContract;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

class HikariFaultsTest extends PoolFaultContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setConnectionTimeout(timeout.toMillis());
        pool.setValidationTimeout(timeout.toMillis());
        pool.setExceptionOverride(new BrokenH2());
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    /**
     * HikariCP does not know H2's SQLStates of a broken connection: as long as one is used twice a second it is handed
     * out again and again, with flexpool and without.
     */
    private static final class BrokenH2 implements SQLExceptionOverride {
        private static final Set<String> STATES = Set.of("90067", "90098", "90121");

        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException thrown) {
            String state = thrown.getSQLState();
            return state != null && STATES.contains(state)
                    ? SQLExceptionOverride.Override.MUST_EVICT
                    : SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
    }
}
