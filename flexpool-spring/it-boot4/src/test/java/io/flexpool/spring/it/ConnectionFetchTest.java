// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Boot 4.1 puts a proxy that takes connections late before the pool: the pool below it is wrapped. */
class ConnectionFetchTest {
    private static int leasedInTransaction(DataSource dataSource, FlexPoolDataSource pool, boolean statement) {
        return new TransactionTemplate(new JdbcTransactionManager(dataSource)).execute(status -> {
            if (statement) {
                new JdbcTemplate(dataSource).queryForObject("select 1", Integer.class);
            }
            return pool.state().leased();
        });
    }

    @Test
    void aLazyConnectionIsLeasedWithTheFirstStatement() {
        boot().withPropertyValues("spring.datasource.connection-fetch=lazy").run(context -> {
            DataSource dataSource = context.getBean(DataSource.class);
            assertThat(dataSource).isInstanceOf(LazyConnectionDataSourceProxy.class);
            FlexPoolDataSource pool = pool(context, "dataSource");
            assertThat(pool.type()).isEqualTo("HikariCP");
            assertThat(leasedInTransaction(dataSource, pool, false)).isZero();
            assertThat(leasedInTransaction(dataSource, pool, true)).isOne();
            assertThat(pool.state().leased()).isZero();
        });
    }

    @Test
    void anEagerOneIsLeasedWithTheTransaction() {
        boot().run(context -> {
            DataSource dataSource = context.getBean(DataSource.class);
            assertThat(Contexts.isWrapped(dataSource)).isTrue();
            assertThat(leasedInTransaction(dataSource, pool(context, "dataSource"), false))
                    .isOne();
        });
    }
}
