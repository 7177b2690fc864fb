// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.ApplicationContextBuilder;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import oracle.ucp.UniversalConnectionPoolException;
import oracle.ucp.admin.UniversalConnectionPoolManagerImpl;

/** Contexts with two data sources, which are pools of one kind. */
final class Pools {
    private static final Map<DataSource, org.apache.tomcat.jdbc.pool.ConnectionPool> TOMCATS =
            new ConcurrentHashMap<>();

    private Pools() {}

    static ApplicationContextBuilder builder() {
        // Without the file of the application that the page shows.
        return ApplicationContext.builder()
                .deduceEnvironment(false)
                .bootstrapEnvironment(false)
                .enableDefaultPropertySources(false);
    }

    /** With the data sources default and reports; of Micronaut's own factory if they are HikariCP's. */
    static ApplicationContext context(String kind, PostgresServer server, Object... more) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (String name : List.of("default", "reports")) {
            String prefix = (kind.equals("hikari") ? "datasources." : "other-pools.") + name + ".";
            properties.put(prefix + "url", server.jdbcUrl());
            properties.put(prefix + "username", server.user());
            properties.put(prefix + "password", server.password());
        }
        properties.put("other-kind", kind);
        for (int each = 0; each < more.length; each += 2) {
            properties.put((String) more[each], more[each + 1]);
        }
        return builder().properties(properties).build();
    }

    /** The pool itself. */
    static DataSource raw(FlexPoolDataSource pool) throws SQLException {
        return switch (pool.type()) {
            case "HikariCP" -> pool.unwrap(com.zaxxer.hikari.HikariDataSource.class);
            case "Tomcat JDBC" -> pool.unwrap(org.apache.tomcat.jdbc.pool.DataSource.class);
            case "Oracle UCP" -> pool.unwrap(oracle.ucp.jdbc.PoolDataSource.class);
            default -> pool.unwrap(org.apache.commons.dbcp2.BasicDataSource.class);
        };
    }

    /** Not by a request: Tomcat JDBC and UCP would open another pool. */
    static boolean isClosed(FlexPoolDataSource pool) throws SQLException {
        DataSource raw = raw(pool);
        if (raw instanceof com.zaxxer.hikari.HikariDataSource hikari) {
            return hikari.isClosed();
        }
        if (raw instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat) {
            // Its data source opens another one with each request for it.
            return TOMCATS.computeIfAbsent(tomcat, first -> tomcat.getPool()).isClosed();
        }
        if (raw instanceof org.apache.commons.dbcp2.BasicDataSource dbcp) {
            return dbcp.isClosed();
        }
        try {
            String name = ((oracle.ucp.jdbc.PoolDataSource) raw).getConnectionPoolName();
            return !List.of(UniversalConnectionPoolManagerImpl.getUniversalConnectionPoolManager()
                            .getConnectionPoolNames())
                    .contains(name);
        } catch (UniversalConnectionPoolException failed) {
            throw new SQLException(failed);
        }
    }
}
