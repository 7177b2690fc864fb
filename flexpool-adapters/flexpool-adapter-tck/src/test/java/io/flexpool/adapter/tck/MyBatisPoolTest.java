// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** MyBatis' pool takes back what is overdue when a request finds it full. By its names, so that it is optional here. */
class MyBatisPoolTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final StubDatabase database = new StubDatabase();

    private DataSource pool(int most, int overdueMillis) throws ReflectiveOperationException {
        Class<?> type = Class.forName("org.apache.ibatis.datasource.pooled.PooledDataSource");
        Object pool = type.getConstructor(String.class, String.class, String.class, String.class)
                .newInstance(StubDriver.class.getName(), database.url(), "app", "secret");
        type.getMethod("setPoolMaximumActiveConnections", int.class).invoke(pool, most);
        type.getMethod("setPoolMaximumIdleConnections", int.class).invoke(pool, most);
        type.getMethod("setPoolMaximumCheckoutTime", int.class).invoke(pool, overdueMillis);
        type.getMethod("setPoolTimeToWait", int.class).invoke(pool, 50);
        return (DataSource) pool;
    }

    private static FlexPoolDataSource bound(DataSource pool, int base) {
        return FlexPool.wrap(pool).base(base).acquisitionTimeout(LONG).build();
    }

    /** It waited for a permit until its timeout, and the pool never got the request that would have found it full. */
    @Test
    void aRequestBehindAForgottenConnectionIsServed() throws Exception {
        try (FlexPoolDataSource pool = bound(pool(1, 200), 1)) {
            Connection forgotten = pool.getConnection();
            try (Connection next = pool.getConnection()) {
                assertThat(next.isValid(1)).isTrue();
                assertThat(forgotten.isClosed()).isTrue();
                forgotten.close();
                assertThat(pool.state().leased()).isOne();
            }
            assertThat(pool.state().leased()).isZero();
            assertThat(pool.statistics().total().leases().count()).isEqualTo(2);
            assertThat(database.open()).as("the same connection was lent again").isOne();
        }
    }

    /** A pool that could lend more keeps what is leased, and opens nothing beyond the limit. */
    @Test
    void aPoolThatIsNotFullTakesNothingBack() throws Exception {
        try (FlexPoolDataSource pool = bound(pool(2, 200), 1);
                Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(2), () -> database.open() > 1 || isClosed(held)))
                    .isFalse();
            held.close();
            crowd.join();
            assertThat(crowd.served()).isOne();
        }
    }

    @Test
    void whatIsNotOverdueIsNotTakenBack() throws Exception {
        try (FlexPoolDataSource pool = bound(pool(1, 60_000), 1);
                Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(2), () -> isClosed(held)))
                    .isFalse();
            held.close();
            crowd.join();
            assertThat(crowd.served()).isOne();
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException unknown) {
            return true;
        }
    }
}
