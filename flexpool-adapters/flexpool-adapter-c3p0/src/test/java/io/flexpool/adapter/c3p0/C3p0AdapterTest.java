// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import static org.assertj.core.api.Assertions.assertThat;

import com.mchange.v2.c3p0.PoolBackedDataSource;
import com.mchange.v2.c3p0.WrapperConnectionPoolDataSource;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import java.beans.PropertyVetoException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class C3p0AdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return c3p0(database, max, timeout);
    }

    static PoolBackedDataSource c3p0(DataSource database, int max, Duration timeout) {
        WrapperConnectionPoolDataSource settings = new WrapperConnectionPoolDataSource();
        PoolBackedDataSource pool = new PoolBackedDataSource();
        try {
            settings.setNestedDataSource(database);
            pool.setConnectionPoolDataSource(settings);
        } catch (PropertyVetoException nobodyVetoes) {
            throw new IllegalStateException(nobodyVetoes);
        }
        settings.setMaxPoolSize(max);
        settings.setMinPoolSize(Math.min(3, max));
        settings.setInitialPoolSize(Math.min(3, max));
        settings.setCheckoutTimeout((int) timeout.toMillis());
        settings.setTestConnectionOnCheckout(true);
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.PENDING_COUNT);
    }

    @Override
    protected String maxSizeKey() {
        return "maxPoolSize";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(3);
    }

    /** The second run of this class is to be on the oldest line; a class path that forgot to change would hide that. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String jar = PoolBackedDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains("c3p0-" + System.getProperty("expected.pool.version"));
    }
}
