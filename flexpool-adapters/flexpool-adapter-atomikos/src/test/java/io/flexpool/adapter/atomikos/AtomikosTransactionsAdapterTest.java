// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.jdbc.AtomikosDataSourceBean;
import com.atomikos.jdbc.AtomikosNonXADataSourceBean;
import com.atomikos.jdbc.internal.AbstractDataSourceBean;
import io.flexpool.adapter.tck.contract.TransactionContract;
import io.flexpool.adapter.tck.contract.Transactions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import oracle.ucp.jdbc.PoolXADataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Isolated;

/** Both beans, with Atomikos' transaction service: there is one in the JVM, which the other tests do without. */
@Isolated
class AtomikosTransactionsAdapterTest {
    private static <T extends AbstractDataSourceBean> T sized(T bean, int max, Duration timeout) {
        bean.setUniqueResourceName(UUID.randomUUID().toString());
        bean.setMinPoolSize(0);
        bean.setMaxPoolSize(max);
        bean.setBorrowConnectionTimeout((int) timeout.toSeconds());
        return bean;
    }

    /** Another request gets another connection, unless the last handle is closed. */
    @Nested
    class WithXa extends WithAtomikos {
        @Override
        protected DataSource pool(JdbcDataSource database, int max, Duration timeout) {
            AtomikosDataSourceBean bean = sized(new AtomikosDataSourceBean(), max, timeout);
            bean.setXaDataSource(database);
            bean.setLocalTransactionMode(true);
            return bean;
        }

        @Override
        protected boolean joinsOpenHandles() {
            return false;
        }
    }

    /** Every request gets the one connection. */
    @Nested
    class WithoutXa extends WithAtomikos {
        @Override
        protected DataSource pool(JdbcDataSource database, int max, Duration timeout) {
            AtomikosNonXADataSourceBean bean = sized(new AtomikosNonXADataSourceBean(), max, timeout);
            bean.setDriverClassName("org.h2.Driver");
            bean.setUrl(database.getURL());
            bean.setUser(database.getUser());
            bean.setPassword("");
            bean.setLocalTransactionMode(true);
            return bean;
        }
    }

    /** The way of UCP into transactions of another transaction manager than WebLogic's. */
    @Nested
    class OverUcp extends WithAtomikos {
        @Override
        protected DataSource pool(JdbcDataSource database, int max, Duration timeout) {
            AtomikosDataSourceBean bean = sized(new AtomikosDataSourceBean(), max, timeout);
            try {
                PoolXADataSource ucp = PoolDataSourceFactory.getPoolXADataSource();
                ucp.setConnectionFactoryClassName(JdbcDataSource.class.getName());
                ucp.setURL(database.getURL());
                ucp.setUser(database.getUser());
                ucp.setPassword("");
                ucp.setMaxPoolSize(2 * max);
                ucp.setCreateConnectionInBorrowThread(true);
                bean.setXaDataSource(ucp);
            } catch (SQLException refused) {
                throw new IllegalStateException(refused);
            }
            bean.setLocalTransactionMode(true);
            return bean;
        }

        @Override
        protected boolean joinsOpenHandles() {
            return false;
        }
    }

    abstract static class WithAtomikos extends TransactionContract {
        private final AtomikosService service = new AtomikosService();

        @Override
        protected Transactions transactions() {
            return service;
        }

        /** While the application is still at work. */
        @Override
        protected boolean rollsBackAtTheTimeout() {
            return false;
        }

        @AfterEach
        void shutDown() {
            service.shutDown();
        }
    }
}
