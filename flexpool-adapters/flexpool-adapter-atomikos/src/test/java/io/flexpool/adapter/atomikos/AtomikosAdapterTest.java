// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import static org.assertj.core.api.Assertions.assertThat;

import com.atomikos.datasource.pool.ConnectionPool;
import com.atomikos.jdbc.AtomikosNonXADataSourceBean;
import com.atomikos.jdbc.internal.AtomikosSQLException;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import io.flexpool.adapter.tck.PoolQuirk;
import io.flexpool.adapter.tck.StubDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AtomikosAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource unused, int max, Duration timeout) {
        AtomikosNonXADataSourceBean pool = asItComes(database, max, timeout);
        // Else it forgets one of several who ask at once; see the adapter.
        pool.setConcurrentConnectionValidation(false);
        return pool;
    }

    private static AtomikosNonXADataSourceBean asItComes(StubDatabase database, int max, Duration timeout) {
        AtomikosNonXADataSourceBean pool = new AtomikosNonXADataSourceBean();
        pool.setUniqueResourceName(UUID.randomUUID().toString());
        pool.setDriverClassName("io.flexpool.adapter.tck.StubDriver");
        pool.setUrl(database.url());
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMinPoolSize(0);
        pool.setMaxPoolSize(max);
        // 0 would mean not to wait.
        pool.setBorrowConnectionTimeout((int) Math.max(1, timeout.toSeconds()));
        pool.setLocalTransactionMode(true);
        return pool;
    }

    private static boolean is5() {
        return System.getProperty("expected.pool.version").startsWith("5.");
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return AtomikosSQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.LIVE_RESIZE);
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

    /** The next request opens it again. */
    @Override
    protected boolean staysClosed() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        Set<PoolQuirk> quirks =
                EnumSet.of(PoolQuirk.IGNORES_INTERRUPTS, PoolQuirk.RESETS_NOTHING, PoolQuirk.ITS_THREADS_STAY);
        if (!is5()) {
            quirks.add(PoolQuirk.HIDES_WHY_A_CONNECT_FAILED);
        }
        return quirks;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /**
     * The second run of this class is to be on the oldest line, beans and pool; a class path that forgot to change would
     * hide that.
     */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String version = System.getProperty("expected.pool.version");
        assertThat(jarOf(AtomikosNonXADataSourceBean.class)).contains("transactions-jdbc-" + version);
        assertThat(jarOf(ConnectionPool.class)).contains("transactions-jta-" + version);
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
