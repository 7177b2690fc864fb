// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.pgbouncer;

import io.flexpool.server.pgbouncer.PgBouncerPart.PoolName;
import io.flexpool.server.pgbouncer.PgBouncerPart.PoolRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Reads PgBouncer's console over one connection, which uses no session of the server. One thread at a time may read;
 * any thread may close.
 *
 * <p>The console accepts only simple queries, and refuses every {@code SET} of a user in {@code stats_users}.
 * PostgreSQL's driver, 42.7.14, sends {@code SET extra_float_digits} after login to servers older than PostgreSQL 12,
 * and PgBouncer appears older. So the login fails, unless the property {@code replication} is set. The driver sends
 * {@code replication} only if {@code assumeMinServerVersion} is set too.
 */
final class PgBouncerConsole implements PgBouncerPart.Pools {
    private static final int PATIENCE_SECONDS = 2;

    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final AtomicReference<@Nullable Connection> open = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * Configures the connection, without connecting yet.
     *
     * @param url the console's URL, for PostgreSQL's driver
     * @throws IllegalArgumentException if the driver refuses the URL; the message contains the URL, which may contain a
     *     password
     */
    PgBouncerConsole(String url) {
        source.setURL(url);
        source.setPreferQueryMode(PreferQueryMode.SIMPLE);
        source.setReplication("database");
        source.setConnectTimeout(PATIENCE_SECONDS);
        source.setLoginTimeout(PATIENCE_SECONDS);
        source.setSocketTimeout(PATIENCE_SECONDS);
    }

    @Override
    public List<PoolRow> read() throws SQLException {
        try (Statement statement = connection().createStatement();
                ResultSet rows = statement.executeQuery("show pools")) {
            List<PoolRow> pools = new ArrayList<>();
            while (rows.next()) {
                pools.add(new PoolRow(
                        rows.getString("database"),
                        rows.getString("user"),
                        rows.getInt("cl_waiting"),
                        rows.getInt("sv_active")
                                + rows.getInt("sv_idle")
                                + rows.getInt("sv_used")
                                + rows.getInt("sv_tested")
                                + rows.getInt("sv_login"),
                        Duration.ofSeconds(rows.getLong("maxwait")).plusNanos(1_000 * rows.getLong("maxwait_us"))));
            }
            return pools;
        } catch (SQLException | RuntimeException failed) {
            drop();
            throw failed;
        }
    }

    private Connection connection() throws SQLException {
        Connection known = open.get();
        if (known != null) {
            return known;
        }
        Connection made = source.getConnection();
        open.set(made);
        if (closed) {
            drop();
            throw new SQLNonTransientConnectionException("the pool is closed");
        }
        return made;
    }

    /** Reads two fields of the driver. */
    @Override
    public Optional<PoolName> of(Connection leased) throws SQLException {
        if (!leased.isWrapperFor(BaseConnection.class)) {
            return Optional.empty();
        }
        BaseConnection physical = leased.unwrap(BaseConnection.class);
        return Optional.of(
                new PoolName(physical.getCatalog(), physical.getMetaData().getUserName()));
    }

    @Override
    public void close() {
        closed = true;
        drop();
    }

    private void drop() {
        Connection known = open.getAndSet(null);
        if (known != null) {
            try {
                // Aborts, because close() would wait for a running query.
                known.abort(Runnable::run);
            } catch (SQLException gone) {
                // The connection is gone already.
            }
        }
    }
}
