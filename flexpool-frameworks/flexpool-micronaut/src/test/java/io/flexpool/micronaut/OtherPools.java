// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.EachBean;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.context.annotation.Requires;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import oracle.ucp.UniversalConnectionPoolException;
import oracle.ucp.admin.UniversalConnectionPoolManagerImpl;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import org.apache.commons.dbcp2.BasicDataSource;

/** Makes and closes pools as Micronaut's factories for Tomcat JDBC, Commons DBCP 2 and UCP do, with their bean types. */
@Factory
class OtherPools implements AutoCloseable {
    private final List<Runnable> made = new ArrayList<>();

    /** One data source's settings. */
    @EachProperty("other-pools")
    static class Settings {
        final String name;
        String url;
        String username;
        String password;

        @SuppressWarnings("NullAway.Init") // by their setters
        Settings(@Parameter String name) {
            this.name = name;
        }

        public void setUrl(String given) {
            url = given;
        }

        public void setUsername(String given) {
            username = given;
        }

        public void setPassword(String given) {
            password = given;
        }
    }

    @Context
    @EachBean(Settings.class)
    @Requires(property = "other-kind", value = "tomcat")
    DataSource tomcat(Settings settings) {
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
        pool.setDriverClassName("org.postgresql.Driver");
        pool.setUrl(settings.url);
        pool.setUsername(settings.username);
        pool.setPassword(settings.password);
        pool.setInitialSize(1);
        made.add(pool::close);
        return pool;
    }

    @Context
    @EachBean(Settings.class)
    @Requires(property = "other-kind", value = "dbcp")
    DataSource dbcp(Settings settings) {
        return basic(settings);
    }

    @Context
    @EachBean(Settings.class)
    @Requires(property = "other-kind", value = "by-class")
    BasicDataSource byClass(Settings settings) {
        return basic(settings);
    }

    private static BasicDataSource pool(Settings settings) {
        BasicDataSource pool = new BasicDataSource();
        pool.setUrl(settings.url);
        pool.setUsername(settings.username);
        pool.setPassword(settings.password);
        return pool;
    }

    private BasicDataSource basic(Settings settings) {
        BasicDataSource pool = pool(settings);
        made.add(() -> {
            try {
                pool.close();
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        });
        return pool;
    }

    @Context
    @EachBean(Settings.class)
    @Requires(property = "other-kind", value = "ucp")
    PoolDataSource ucp(Settings settings) throws SQLException {
        PoolDataSource pool = PoolDataSourceFactory.getPoolDataSource();
        pool.setConnectionPoolName(settings.name);
        pool.setConnectionFactoryClassName("org.postgresql.Driver");
        pool.setURL(settings.url);
        pool.setUser(settings.username);
        pool.setPassword(settings.password);
        pool.setMaxPoolSize(10);
        made.add(() -> destroy(settings.name));
        return pool;
    }

    /** Without an end of its own. */
    @Factory
    static class LeavesOpen {
        private static final List<BasicDataSource> LEFT = new CopyOnWriteArrayList<>();

        @Context
        @EachBean(Settings.class)
        @Requires(property = "other-kind", value = "left-open")
        DataSource dbcp(Settings settings) {
            BasicDataSource pool = pool(settings);
            LEFT.add(pool);
            return pool;
        }

        static void closeAll() throws SQLException {
            for (BasicDataSource pool : LEFT) {
                pool.close();
            }
            LEFT.clear();
        }
    }

    private static void destroy(String pool) {
        try {
            UniversalConnectionPoolManagerImpl.getUniversalConnectionPoolManager()
                    .destroyConnectionPool(pool);
        } catch (UniversalConnectionPoolException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    @PreDestroy
    public void close() {
        made.forEach(Runnable::run);
    }
}
