// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** What the pools of this scenario connect to. */
public enum ShootOutDatabase {
    /** A driver that answers at once: what is left is the pool. */
    STUB {
        @Override
        Running start() {
            return new Running(new Endpoint(null, "", ""), () -> {});
        }
    },
    /** A real PostgreSQL over TCP, authenticating by SCRAM; one server for all pools. */
    POSTGRES {
        @Override
        Running start() {
            PostgresServer server = PostgresServer.start();
            return new Running(new Endpoint(server.jdbcUrl(), server.user(), server.password()), server::close);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    abstract Running start();

    /** Why it cannot run on this machine; empty where it can. */
    Optional<String> unavailable() {
        return Optional.empty();
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Where another JVM finds it.
     *
     * @param url null for the stub, which each JVM has for itself
     * @param user the role
     * @param password the role's password
     */
    record Endpoint(@Nullable String url, String user, String password) {
        /** The driver's own data source: each call connects. */
        DataSource driver() {
            if (url == null) {
                return new StubQueries();
            }
            PGSimpleDataSource driver = new PGSimpleDataSource();
            driver.setUrl(url);
            driver.setUser(user);
            driver.setPassword(password);
            return driver;
        }
    }

    /** A database that has been started, and what ends it. */
    record Running(Endpoint endpoint, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}
