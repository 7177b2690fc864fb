// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import oracle.ucp.jdbc.PoolXADataSource;
import org.junit.jupiter.api.Test;

/**
 * UCP takes part in the transactions of WebLogic, which is not in Maven Central, and of no other transaction manager: each
 * request has a physical connection of its own, so that a permit for each is right. Should a version of UCP change that,
 * this fails, and the adapter has to say which connection a transaction has. UCP's data source for XA behind Atomikos' bean
 * is tested there.
 */
class UcpTransactionsAdapterTest {
    private static <T extends PoolDataSource> T pool(T pool, String factory) throws SQLException {
        pool.setConnectionFactoryClassName(factory);
        pool.setURL("jdbc:h2:mem:" + UUID.randomUUID());
        pool.setUser("sa");
        pool.setPassword("");
        pool.setMaxPoolSize(2);
        pool.setConnectionWaitDuration(Duration.ofSeconds(5));
        return pool;
    }

    @Test
    void eachRequestOfATransactionHasAConnectionOfItsOwn() throws Exception {
        BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class).setObjectStoreDir("target/narayana");
        TransactionManager narayana = com.arjuna.ats.jta.TransactionManager.transactionManager();
        PoolDataSource raw = pool(PoolDataSourceFactory.getPoolDataSource(), "org.h2.Driver");
        try (FlexPoolDataSource pool =
                FlexPool.wrap(raw).name("transactions").set("base", 2).build()) {
            assertThat(pool.capabilities()).doesNotContain(Capability.TRANSACTIONS);
            narayana.begin();
            try (Connection one = pool.getConnection();
                    Connection two = pool.getConnection()) {
                assertThat(one.unwrap(Connection.class)).isNotSameAs(two.unwrap(Connection.class));
                assertThat(raw.getBorrowedConnectionsCount()).isEqualTo(2);
                assertThat(pool.state().leased()).isEqualTo(2);
            }
            assertThat(raw.getBorrowedConnectionsCount())
                    .as("kept by the transaction")
                    .isZero();
            assertThat(pool.state().leased()).isZero();
            narayana.commit();
        }
    }

    @Test
    void theDataSourceForXaLendsNoConnectionItself() throws Exception {
        PoolXADataSource xa = pool(PoolDataSourceFactory.getPoolXADataSource(), "org.h2.jdbcx.JdbcDataSource");
        assertThatThrownBy(xa::getConnection).isInstanceOf(SQLException.class).hasMessageContaining("UCP-58");
    }
}
