// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.StubDatabase;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;

/** What the pools of this scenario connect to. */
public enum BurstDatabase {
    /** A database that does nothing, with a connect as slow as wanted. */
    STUB {
        @Override
        Running start(Duration connect) {
            DataSource stub = new StubDatabase().connectTakes(connect).dataSource();
            return new Running(stub, () -> {});
        }
    },
    /** A real PostgreSQL over TCP, authenticating by SCRAM; connects take what they take. */
    POSTGRES {
        @Override
        Running start(Duration connect) {
            PostgresServer server = PostgresServer.start();
            return new Running(server.dataSource(), server::close);
        }

        @Override
        Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    abstract Running start(Duration connect);

    /** Why it cannot run on this machine; empty where it can. */
    Optional<String> unavailable() {
        return Optional.empty();
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A database that has been started: its driver's data source, and what ends it. */
    record Running(DataSource driver, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}
