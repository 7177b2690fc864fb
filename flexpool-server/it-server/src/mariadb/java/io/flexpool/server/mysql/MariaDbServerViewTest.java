// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import io.flexpool.server.tck.ServerViewContract;
import io.flexpool.server.tck.TestSession;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on MariaDB, from Maven, on 127.0.0.1 only, through MariaDB's driver. */
class MariaDbServerViewTest extends ServerViewContract {
    @TempDir
    static Path data;

    private static MariaDbDatabase server;

    @BeforeAll
    static void start() throws Exception {
        server = new MariaDbDatabase(data);
        server.user("flex", "");
        server.run("grant process on *.* to 'flex'@'127.0.0.1'");
        server.run("grant select on performance_schema.* to 'flex'@'127.0.0.1'");
        server.user("process", "");
        server.run("grant process on *.* to 'process'@'127.0.0.1'");
        server.user("outsider", "");
        server.user("limited", " with max_user_connections " + NARROW_LIMIT);
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    private static Connection connect(String user, int port) throws SQLException {
        return MariaDbDatabase.source(user, port).getConnection();
    }

    @Override
    protected ServerViewProvider provider() {
        return new MySqlServerViewProvider();
    }

    @Override
    protected int port() {
        return server.port();
    }

    @Override
    protected Connection connect(int port) throws SQLException {
        return connect("flex", port);
    }

    @Override
    protected Connection connectWithoutRights() throws SQLException {
        return connect("outsider", port());
    }

    @Override
    protected Connection connectLimited() throws SQLException {
        return connect("limited", port());
    }

    @Override
    protected String idQuery() {
        return "select connection_id()";
    }

    @Override
    protected String sleep() {
        return "select sleep(600)";
    }

    @Override
    protected String work() {
        return "select benchmark(3000000000, md5('flexpool'))";
    }

    @Override
    protected String advisoryLock() {
        return "select get_lock('contract', 600)";
    }

    @Override
    protected String countedAs() {
        return "flex@127.0.0.1";
    }

    @Override
    protected int usable() {
        return MariaDbDatabase.MAX_CONNECTIONS;
    }

    @Override
    protected int reserved() {
        return 0;
    }

    @Override
    protected List<String> settings() {
        return List.of(
                "select @@max_statement_time",
                "select @@innodb_lock_wait_timeout",
                "select @@sql_mode",
                "select @@time_zone",
                "select @@tx_isolation",
                "select database()");
    }

    @Override
    protected boolean knowsAgeOfSessions() {
        return false;
    }

    /** Whatever the session's time zone is: a transaction's start is in the server's. */
    @Test
    void theAgeOfATransactionDoesNotDependOnTheTimeZone() throws Exception {
        String table = table();
        TestSession holder = session().begin().run("update " + table + " set v = 1 where id = 1");
        TestSession own = session().run("set time_zone = '+11:00'");
        ServerSnapshot seen = awaitLook(
                own,
                snapshot ->
                        find(snapshot, holder).map(ServerSession::inTransaction).isPresent(),
                holder);
        assertThat(the(seen, holder).inTransaction()).isLessThan(Duration.ofHours(1));
    }

    @Test
    void withProcessAloneMetadataLocksAreHiddenAndRowLocksAreNot() throws Exception {
        String table = table();
        TestSession holder =
                session(connect("process", port())).begin().run("update " + table + " set v = 1 where id = 1");
        TestSession waiter = session().start("update " + table + " set v = 2 where id = 1");
        TestSession change = session().start("alter table " + table + " add column more int");
        TestSession own = session(connect("process", port()));
        ServerSnapshot seen = awaitLook(own, locked(waiter, change), waiter, change);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(the(seen, change).blockedBy()).isEmpty();
        assertThat(the(seen, change).waitsFor()).isEqualTo(Wait.LOCK);
        assertThat(seen.notVisible())
                .containsExactly("the holders of metadata locks for which sessions wait: grant select on"
                        + " performance_schema.* to process@127.0.0.1");
    }
}
