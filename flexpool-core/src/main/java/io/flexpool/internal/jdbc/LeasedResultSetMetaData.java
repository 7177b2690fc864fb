// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * The metadata of a result set or of a query of a lease. It ends with the lease: PostgreSQL's driver queries the
 * database for a part of it, and SQLite's passes the result set itself.
 */
@NullUnmarked
final class LeasedResultSetMetaData extends LeasedValue<ResultSetMetaData> implements ResultSetMetaData {
    private LeasedResultSetMetaData(ResultSetMetaData target, LeasedConnection connection) {
        super(target, connection);
    }

    /** Wraps metadata; null for null. */
    static LeasedResultSetMetaData of(ResultSetMetaData target, LeasedConnection connection) {
        return target == null ? null : new LeasedResultSetMetaData(target, connection);
    }

    @Override
    public int getColumnCount() throws SQLException {
        return open().getColumnCount();
    }

    @Override
    public boolean isAutoIncrement(int column) throws SQLException {
        return open().isAutoIncrement(column);
    }

    @Override
    public boolean isCaseSensitive(int column) throws SQLException {
        return open().isCaseSensitive(column);
    }

    @Override
    public boolean isSearchable(int column) throws SQLException {
        return open().isSearchable(column);
    }

    @Override
    public boolean isCurrency(int column) throws SQLException {
        return open().isCurrency(column);
    }

    @Override
    public int isNullable(int column) throws SQLException {
        return open().isNullable(column);
    }

    @Override
    public boolean isSigned(int column) throws SQLException {
        return open().isSigned(column);
    }

    @Override
    public int getColumnDisplaySize(int column) throws SQLException {
        return open().getColumnDisplaySize(column);
    }

    @Override
    public String getColumnLabel(int column) throws SQLException {
        return open().getColumnLabel(column);
    }

    @Override
    public String getColumnName(int column) throws SQLException {
        return open().getColumnName(column);
    }

    @Override
    public String getSchemaName(int column) throws SQLException {
        return open().getSchemaName(column);
    }

    @Override
    public int getPrecision(int column) throws SQLException {
        return open().getPrecision(column);
    }

    @Override
    public int getScale(int column) throws SQLException {
        return open().getScale(column);
    }

    @Override
    public String getTableName(int column) throws SQLException {
        return open().getTableName(column);
    }

    @Override
    public String getCatalogName(int column) throws SQLException {
        return open().getCatalogName(column);
    }

    @Override
    public int getColumnType(int column) throws SQLException {
        return open().getColumnType(column);
    }

    @Override
    public String getColumnTypeName(int column) throws SQLException {
        return open().getColumnTypeName(column);
    }

    @Override
    public boolean isReadOnly(int column) throws SQLException {
        return open().isReadOnly(column);
    }

    @Override
    public boolean isWritable(int column) throws SQLException {
        return open().isWritable(column);
    }

    @Override
    public boolean isDefinitelyWritable(int column) throws SQLException {
        return open().isDefinitelyWritable(column);
    }

    @Override
    public String getColumnClassName(int column) throws SQLException {
        return open().getColumnClassName(column);
    }
}
