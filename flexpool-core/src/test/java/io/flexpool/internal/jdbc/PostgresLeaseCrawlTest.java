// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.sql.Types;
import java.sql.Wrapper;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.jdbc.PgArray;

/** On PostgreSQL, where a cursor is a result set that a row or a call puts out. */
@Tag("slow") // see the profile pitest: it starts a server
class PostgresLeaseCrawlTest extends LeaseCrawl {
    private static final String COLUMNS = "select cursor_of_rows() as c1, array[1, 2] as c2,"
            + " array[row(1, array[2])::pair] as c3, (select id from large) as c4, array[[1], [2]] as c5";

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException, SQLException {
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(
                !root || LinuxUtils.isUnshareAvailable(),
                "PostgreSQL does not run as root, and this machine allows no user namespaces");
        EmbeddedPostgres started = EmbeddedPostgres.builder()
                .setServerConfig("listen_addresses", "127.0.0.1")
                .start();
        server = started;
        try (Connection connection = started.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create type pair as (a int, b int[])");
            statement.execute("create table large as select lo_from_bytea(0, '\\x010203') as id");
            statement.execute("create table t (id serial primary key, tags int[])");
            statement.execute("create function cursor_of_rows() returns refcursor language plpgsql as"
                    + " $$ declare c refcursor; begin open c for select array[3] as c1, 4 as c2; return c; end $$");
            statement.execute("create function put_out(n int, out c1 refcursor, out c2 int[]) language plpgsql as"
                    + " $$ begin c1 := cursor_of_rows(); c2 := array[n]; end $$");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Override
    Connection connect() throws SQLException {
        // So that a call which the server refuses does not end the transaction, which cursors and large objects need.
        Connection real = server.getDatabase("postgres", "postgres", Map.of("autosave", "always"))
                .getConnection();
        real.setAutoCommit(false);
        return real;
    }

    /** The driver casts an array to its own class, and takes the text of any other. */
    @Test
    void wrappedArgumentsReachTheDriverUnwrapped() throws SQLException {
        try (LeasedConnection lease = new LeasedConnection(connect(), new CountedLease(), 0, 0);
                PreparedStatement insert = lease.prepareStatement("insert into t (tags) values (?), (?), (?)");
                Statement select =
                        lease.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE)) {
            Array made = lease.createArrayOf("int4", new Object[] {1, null, 3});
            insert.setArray(1, made);
            insert.setObject(2, made);
            insert.setObject(3, made, Types.ARRAY);
            assertThat(insert.executeUpdate()).isEqualTo(3);
            try (ResultSet rows = select.executeQuery("select id, tags from t order by id desc limit 3")) {
                assertThat(rows.next()).isTrue();
                Array read = rows.getArray(2);
                assertThat(read).hasToString("{1,NULL,3}").isNotInstanceOf(PgArray.class);
                assertThat(((Wrapper) read).unwrap(PgArray.class)).hasToString("{1,NULL,3}");
                rows.updateArray("tags", read);
                rows.updateRow();
                rows.updateObject("tags", rows.getObject("tags"));
                rows.updateRow();
                Array nested = lease.createArrayOf("int4", new Object[] {new Integer[] {1}, new Integer[] {2}});
                insert.setArray(1, nested);
                insert.setArray(2, read);
                insert.setNull(3, Types.ARRAY);
                assertThat(insert.executeUpdate()).isEqualTo(3);
            }
        }
    }

    /** The large object is read and written in the current transaction of its connection. */
    @Test
    void aLargeObjectOfAnEndedLeaseCannotBeUsed() throws Exception {
        try (Connection real = connect()) {
            LeasedConnection lease = leaseThatLeavesOpen(real);
            ResultSet rows = lease.createStatement().executeQuery("select id, array[7] from large");
            assertThat(rows.next()).isTrue();
            Blob blob = rows.getBlob(1);
            Array array = rows.getArray(2);
            InputStream stream = blob.getBinaryStream();
            OutputStream written = blob.setBinaryStream(1);
            assertThat(stream.read()).isOne();
            lease.close();
            real.rollback();
            assertThatThrownBy(() -> blob.setBytes(1, new byte[] {9})).hasMessage("Connection is closed");
            assertThatThrownBy(() -> blob.getBytes(1, 1)).hasMessage("Connection is closed");
            assertThatThrownBy(() -> stream.read(new byte[8])).hasMessage("Connection is closed");
            assertThatThrownBy(() -> written.write(9)).hasMessage("Connection is closed");
            assertThatThrownBy(written::close).hasMessage("Connection is closed");
            stream.close();
            blob.free();
            assertThatThrownBy(array::getResultSet).hasMessage("Connection is closed");
            assertThatThrownBy(array::getArray).hasMessage("Connection is closed");
            try (Statement next = real.createStatement();
                    ResultSet still = next.executeQuery("select lo_get(id) from large")) {
                assertThat(still.next()).isTrue();
                assertThat(still.getBytes(1)).containsExactly(1, 2, 3);
            }
        }
    }

    /** As a pool does: the next borrower gets the same connection. */
    private LeasedConnection leaseThatLeavesOpen(Connection real) {
        return new LeasedConnection(
                (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) ->
                                method.getName().equals("close") ? null : method.invoke(real, arguments)),
                new CountedLease(),
                0,
                0);
    }

    /** A call with an array whose lease has ended, and with another connection. */
    interface LateCall {
        void on(Array late, Connection other) throws SQLException;
    }

    static Stream<Named<LateCall>> lateCalls() {
        return Stream.of(
                named("getArray", (late, other) -> late.getArray()),
                named("getArray of a part", (late, other) -> late.getArray(1, 1)),
                named("getArray with a map", (late, other) -> late.getArray(Map.of())),
                named("getResultSet", (late, other) -> late.getResultSet()),
                named("getBaseType", (late, other) -> late.getBaseType()),
                named("getBaseTypeName", (late, other) -> late.getBaseTypeName()),
                named("setArray", (late, other) -> {
                    try (PreparedStatement select = other.prepareStatement("select ?")) {
                        select.setArray(1, late);
                    }
                }));
    }

    private static Named<LateCall> named(String name, LateCall call) {
        return Named.of(name, call);
    }

    /** Regression: the driver queried the type of the elements on the connection of the next borrower. */
    @ParameterizedTest
    @MethodSource("lateCalls")
    void anArrayOfAnEndedLeaseQueriesNothingOnTheNextBorrowersConnection(LateCall call) throws SQLException {
        try (Connection real = connect();
                LeasedConnection other = new LeasedConnection(connect(), new CountedLease(), 0, 0)) {
            LeasedConnection lease = leaseThatLeavesOpen(real);
            ResultSet rows = lease.createStatement().executeQuery("select array[row(1, array[2])::pair]");
            assertThat(rows.next()).isTrue();
            Array array = rows.getArray(1);
            lease.close();
            real.rollback();
            String theirs = "select 'the next borrower', pg_backend_pid()";
            try (Statement next = real.createStatement();
                    ResultSet row = next.executeQuery(theirs)) {
                assertThat(row.next()).isTrue();
                Throwable refusal = catchThrowable(() -> call.on(array, other));
                try (Statement watch = other.createStatement();
                        ResultSet activity =
                                watch.executeQuery("select query from pg_stat_activity where pid = " + row.getInt(2))) {
                    assertThat(activity.next()).isTrue();
                    assertThat(activity.getString(1))
                            .as("the last query of the next borrower's connection")
                            .isEqualTo(theirs);
                }
                assertThat(refusal)
                        .isInstanceOf(SQLNonTransientException.class)
                        .hasMessage("Connection is closed")
                        .extracting(thrown -> ((SQLException) thrown).getSQLState())
                        .isEqualTo("HY010");
            }
        }
    }

    @Override
    String query() {
        return COLUMNS + " from generate_series(1, 900)";
    }

    @Override
    String prepared() {
        return COLUMNS + " from generate_series(1, ?)";
    }

    @Override
    String call() {
        return "{call put_out(?, ?, ?)}";
    }

    @Override
    void prepareCall(CallableStatement call) throws SQLException {
        call.setInt(1, 50);
        call.registerOutParameter(2, Types.REF_CURSOR);
        call.registerOutParameter(3, Types.ARRAY);
    }

    @Override
    String elementType() {
        return "int4";
    }

    @Override
    Collection<String> expectedWays() {
        return List.of(
                "Array.getResultSet/0",
                "Array.getResultSet/2",
                "CallableStatement.getArray/1",
                "CallableStatement.getObject/1",
                "CallableStatement.getObject/2",
                "Connection.createArrayOf/2",
                "Connection.createSQLXML/0",
                "ResultSet.getArray/1",
                "ResultSet.getObject/1",
                "ResultSet.getObject/2",
                "ResultSet.getSQLXML/1");
    }
}
