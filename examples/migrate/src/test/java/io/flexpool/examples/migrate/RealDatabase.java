// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.alibaba.druid.pool.DruidDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;

/** One PostgreSQL for all guides; its end is that of the JVM. */
final class RealDatabase {
    private static final class Started {
        static final PostgresServer SERVER = PostgresServer.start();
    }

    private RealDatabase() {}

    static PostgresServer server() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        return Started.SERVER;
    }

    /** Two connections at first. On a busy machine a connect takes longer than the 250 ms that HikariCP accepts as the least. */
    static HikariConfig hikari() {
        PostgresServer server = server();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setUsername(server.user());
        config.setPassword(server.password());
        config.setMaximumPoolSize(2);
        config.setConnectionTimeout(2_000);
        return config;
    }

    static HikariDataSource hikariPool() {
        return new HikariDataSource(hikari());
    }

    static DruidDataSource druidPool() {
        PostgresServer server = server();
        DruidDataSource pool = new DruidDataSource();
        pool.setUrl(server.jdbcUrl());
        pool.setUsername(server.user());
        pool.setPassword(server.password());
        pool.setMaxActive(4);
        pool.setMaxWait(5_000);
        return pool;
    }
}
