// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import com.atomikos.jdbc.internal.AtomikosSQLException;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The bean for XA, with Atomikos' transaction service: there is one in the JVM, which the other tests do without. */
@Isolated
class AtomikosJtaAdapterTest {
    private final UserTransactionManager transactions = new UserTransactionManager();
    private final AtomikosDataSourceBean raw = bean();
    private final FlexPoolDataSource pool =
            FlexPool.wrap(raw).name("jta").set("base", 1).build();

    private static AtomikosDataSourceBean bean() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        AtomikosDataSourceBean bean = new AtomikosDataSourceBean();
        bean.setUniqueResourceName("jta");
        bean.setXaDataSource(h2);
        bean.setMinPoolSize(0);
        bean.setMaxPoolSize(4);
        bean.setBorrowConnectionTimeout(1);
        return bean;
    }

    /** The first connect loads classes: on a busy machine it takes longer than the pool's timeout of a second. */
    @BeforeEach
    void connect() throws InterruptedException {
        assertThat(Crowd.eventually(Duration.ofMinutes(2), this::connects)).isTrue();
    }

    private boolean connects() {
        try (Connection first = raw.getConnection()) {
            return first.isValid(60);
        } catch (SQLException tooSlow) {
            return false;
        }
    }

    /** Ends the threads of Atomikos too. */
    @AfterEach
    void close() {
        pool.close();
        transactions.close();
    }

    /** Taken for one that went past flexpool, it kept its own transaction from the next request. */
    @Test
    void theConnectionThatATransactionKeepsIsNotForeign() throws Exception {
        transactions.begin();
        try {
            execute("create table t (id int)");
            assertThat(raw.poolAvailableSize()).as("kept").isZero();
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(2), () -> pool.state().foreign() > 0))
                    .as("%s", pool.state())
                    .isFalse();
            execute("insert into t values (1)");
            assertThat(raw.poolTotalSize()).isOne();
        } finally {
            transactions.rollback();
        }
        assertThat(raw.poolAvailableSize()).isOne();
    }

    @Test
    void eachRequestOutsideATransactionIsCounted() throws Exception {
        execute("create table if not exists u (id int)", true);
        execute("insert into u values (1)", false);
        assertThat(rows()).as("rolled back").isZero();
        execute("insert into u values (1)", true);
        assertThat(rows()).as("committed").isOne();
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            assertThat(pool.state().leased()).isOne();
            assertThatThrownBy(pool::getConnection).isExactlyInstanceOf(AtomikosSQLException.class);
        }
    }

    private void execute(String sql, boolean commit) throws Exception {
        transactions.begin();
        try {
            execute(sql);
        } finally {
            if (commit) {
                transactions.commit();
            } else {
                transactions.rollback();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int rows() throws Exception {
        transactions.begin();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from u")) {
            result.next();
            return result.getInt(1);
        } finally {
            transactions.commit();
        }
    }
}
