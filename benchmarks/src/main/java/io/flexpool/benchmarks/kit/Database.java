// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;

/** The databases that a scenario can run on; each is started by the program itself. */
public enum Database {
    /** H2 in this JVM: connecting costs next to nothing. */
    H2MEM {
        @Override
        public Running start() {
            return new Running(this, h2("jdbc:h2:mem:benchmark;DB_CLOSE_DELAY=-1"), () -> {});
        }
    },
    /** H2 over a socket. */
    H2TCP {
        @Override
        public Running start() throws SQLException {
            Server server =
                    Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
            String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:benchmark;DB_CLOSE_DELAY=-1";
            return new Running(this, h2(url), server::stop);
        }
    },
    /** A real PostgreSQL over TCP, authenticating by SCRAM. */
    POSTGRES {
        @Override
        public Running start() {
            PostgresServer server = PostgresServer.start();
            return new Running(this, server.dataSource(), server::close);
        }

        @Override
        public Optional<String> unavailable() {
            return PostgresServer.unavailable();
        }
    };

    /**
     * Starts it.
     *
     * @return the running database
     * @throws SQLException if it does not start
     */
    public abstract Running start() throws SQLException;

    /**
     * Why it cannot run on this machine.
     *
     * @return the reason, or empty where it can
     */
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static DataSource h2(String url) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL(url);
        dataSource.setUser("sa");
        dataSource.setPassword("");
        return dataSource;
    }

    /**
     * A database that has been started.
     *
     * @param database which one
     * @param dataSource the driver's own data source: every call connects
     * @param stop ends it
     */
    public record Running(Database database, DataSource dataSource, Runnable stop) implements AutoCloseable {
        @Override
        public void close() {
            stop.run();
        }
    }
}
