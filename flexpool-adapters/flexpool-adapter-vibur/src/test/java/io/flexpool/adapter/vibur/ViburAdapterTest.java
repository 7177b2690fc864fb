// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.vibur;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.vibur.dbcp.ViburDBCPDataSource;

class ViburAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        ViburDBCPDataSource pool = vibur(database, max, timeout);
        pool.start();
        return pool;
    }

    static ViburDBCPDataSource vibur(DataSource database, int max, Duration timeout) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setExternalDataSource(database);
        pool.setPoolInitialSize(0);
        pool.setPoolMaxSize(max);
        pool.setConnectionTimeoutInMs(timeout.toMillis());
        // Each time, not only after five seconds in the pool.
        pool.setConnectionIdleLimitInSeconds(0);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTimeoutException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.EXACT_TRIM, Capability.PHYSICAL_FOLLOWS_LIMIT);
    }

    @Override
    protected String maxSizeKey() {
        return "poolMaxSize";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /** The second run of this class is to be on the oldest line; a class path that forgot to change would hide that. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String jar = ViburDBCPDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains("vibur-dbcp-" + System.getProperty("expected.pool.version"));
    }
}
