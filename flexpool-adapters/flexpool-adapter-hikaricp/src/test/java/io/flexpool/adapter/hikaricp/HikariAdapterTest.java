// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.PoolAdapterContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class HikariAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setConnectionTimeout(timeout.toMillis());
        return pool;
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    @Override
    protected Duration housekeeping() {
        // The module's POM sets com.zaxxer.hikari.housekeeping.periodMs to 1000; by default it is 30 s.
        return Duration.ofSeconds(4);
    }

    /** The second run of this class is to be on the oldest line; a class path that forgot to change would hide that. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String jar = HikariDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains("HikariCP-" + System.getProperty("expected.hikaricp.version"));
    }

    /** A slow connect inside the pool used to take the pool's own 30 s, although the user had said 400 ms. */
    @Test
    void aShorterTimeoutThanThePoolsOwnHoldsInsideThePoolToo() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofSeconds(30)))
                .base(2)
                .acquisitionTimeout(Duration.ofMillis(400)));
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            // Whatever the pool opened beside it goes, and nothing new comes.
            database.connectTakes(Duration.ofSeconds(20));
            pool.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
            long before = System.nanoTime();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        }
    }
}
