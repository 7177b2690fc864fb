// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import io.flexpool.adapter.tck.PoolQuirk;
import io.flexpool.adapter.tck.StubDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import org.junit.jupiter.api.Test;

class UcpAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource unused, int max, Duration timeout) {
        return pool(database, max, timeout);
    }

    static PoolDataSource pool(StubDatabase database, int max, Duration timeout) {
        try {
            PoolDataSource pool = PoolDataSourceFactory.getPoolDataSource();
            pool.setConnectionFactoryClassName("io.flexpool.adapter.tck.StubDriver");
            pool.setURL(database.url());
            pool.setUser("app");
            pool.setPassword("secret");
            pool.setMaxPoolSize(max);
            pool.setValidateConnectionOnBorrow(true);
            wait(pool, timeout);
            connectInTheBorrowersThread(pool);
            return pool;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** 21.9 has whole seconds only; 0 would mean not to wait. */
    @SuppressWarnings("deprecation")
    private static void wait(PoolDataSource pool, Duration timeout) throws SQLException {
        try {
            PoolDataSource.class
                    .getMethod("setConnectionWaitDuration", Duration.class)
                    .invoke(pool, timeout);
        } catch (ReflectiveOperationException anOlderVersion) {
            pool.setConnectionWaitTimeout((int) Math.max(1, timeout.toSeconds()));
        }
    }

    /** Else 23.26 forgets one of several threads that ask at once; see the adapter. 21.9 has no such setting. */
    private static void connectInTheBorrowersThread(PoolDataSource pool) {
        try {
            PoolDataSource.class
                    .getMethod("setCreateConnectionInBorrowThread", boolean.class)
                    .invoke(pool, true);
        } catch (ReflectiveOperationException anOlderVersion) {
            assertThat(System.getProperty("expected.pool.version")).startsWith("21.");
        }
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.LIVE_RESIZE, Capability.PHYSICAL_FOLLOWS_LIMIT, Capability.PENDING_COUNT);
    }

    @Override
    protected String maxSizeKey() {
        return "maxPoolSize";
    }

    /** Its shortest is not to wait at all. */
    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.IGNORES_INTERRUPTS,
                PoolQuirk.RESETS_NOTHING,
                PoolQuirk.CLOSE_THROWS_AFTER_THE_POOLS,
                PoolQuirk.ITS_CLASSES_STAY);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /** The second run of this class is to be on the oldest line; a class path that forgot to change would hide that. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String jar = PoolDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains("ucp-" + System.getProperty("expected.pool.version"));
    }
}
