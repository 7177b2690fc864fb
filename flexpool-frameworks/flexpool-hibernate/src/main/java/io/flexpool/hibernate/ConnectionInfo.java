// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.engine.jdbc.connections.spi.DatabaseConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The facts on connections that Hibernate logs at its start; opens no connection for them. Hibernate 7 has more methods
 * than Hibernate 6, with which this is compiled, so those methods override nothing here.
 */
final class ConnectionInfo implements DatabaseConnectionInfo {
    private static final String POOLS_OWN = "the pool's";

    private final FlexPoolDataSource pool;
    private final PoolBehind behind;
    private final DatabaseVersion version;

    ConnectionInfo(FlexPoolDataSource pool, PoolBehind behind, DatabaseVersion version) {
        this.pool = pool;
        this.behind = behind;
        this.version = version;
    }

    @Override
    public String getJdbcUrl() {
        String url = behind.settings().url();
        return url == null ? POOLS_OWN : Texts.line(url);
    }

    @Override
    public String getJdbcDriver() {
        return POOLS_OWN;
    }

    @Override
    public DatabaseVersion getDialectVersion() {
        return version;
    }

    @Override
    public String getAutoCommitMode() {
        Boolean autoCommit = behind.settings().autoCommit();
        return autoCommit == null ? POOLS_OWN : autoCommit.toString();
    }

    @Override
    public String getIsolationLevel() {
        Integer isolation = behind.settings().isolation();
        return isolation == null ? POOLS_OWN : name(isolation);
    }

    private static String name(int isolation) {
        return switch (isolation) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ_UNCOMMITTED";
            case Connection.TRANSACTION_READ_COMMITTED -> "READ_COMMITTED";
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE_READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            default -> "NONE";
        };
    }

    @Override
    public @Nullable Integer getPoolMinSize() {
        return null;
    }

    @Override
    public @Nullable Integer getPoolMaxSize() {
        int max = pool.state().pool().max();
        return max == PoolSnapshot.UNKNOWN ? null : max;
    }

    /** For Hibernate 7. Returns null, because a query would open a connection. */
    public @Nullable String getSchema() {
        return null;
    }

    /** For Hibernate 7. Returns null, because a query would open a connection. */
    public @Nullable String getCatalog() {
        return null;
    }

    /** For Hibernate 7. Returns null, because a query would open a connection. */
    public @Nullable Integer getJdbcFetchSize() {
        return null;
    }

    /** For Hibernate 7, which uses the result only in its log. */
    public boolean hasSchema() {
        return true;
    }

    /** For Hibernate 7, which uses the result only in its log. */
    public boolean hasCatalog() {
        return true;
    }

    @Override
    public String toInfoString() {
        return "\tPool: " + pool
                + "\n\tDatabase JDBC URL: " + getJdbcUrl()
                + "\n\tDatabase version: " + version
                + "\n\tAutocommit mode: " + getAutoCommitMode()
                + "\n\tIsolation level: " + getIsolationLevel()
                + "\n\tMaximum pool size: " + getPoolMaxSize();
    }
}
