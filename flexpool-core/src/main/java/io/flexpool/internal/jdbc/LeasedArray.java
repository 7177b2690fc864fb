// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * An array of a lease; see {@link LeasedValue}. Its result set leads back to the lease, and ends with it. Its content
 * can be read and passed back after the lease too: applications keep arrays, and most drivers load them completely.
 * PostgreSQL's queries the type of the elements, once for each connection and each type that the database defines.
 */
@NullUnmarked
final class LeasedArray extends LeasedValue<Array> implements Array {
    LeasedArray(Array target, LeasedConnection connection) {
        super(target, connection);
    }

    @Override
    Array returned() {
        return target;
    }

    private ResultSet leased(ResultSet results) {
        return LeasedResultSet.of(results, null, connection);
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        return target.getBaseTypeName();
    }

    @Override
    public int getBaseType() throws SQLException {
        return target.getBaseType();
    }

    @Override
    public Object getArray() throws SQLException {
        return LeasedValues.out(target.getArray(), connection);
    }

    @Override
    public Object getArray(Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(target.getArray(map), connection);
    }

    @Override
    public Object getArray(long index, int count) throws SQLException {
        return LeasedValues.out(target.getArray(index, count), connection);
    }

    @Override
    public Object getArray(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(target.getArray(index, count, map), connection);
    }

    @Override
    public ResultSet getResultSet() throws SQLException {
        return leased(open().getResultSet());
    }

    @Override
    public ResultSet getResultSet(Map<String, Class<?>> map) throws SQLException {
        return leased(open().getResultSet(map));
    }

    @Override
    public ResultSet getResultSet(long index, int count) throws SQLException {
        return leased(open().getResultSet(index, count));
    }

    @Override
    public ResultSet getResultSet(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return leased(open().getResultSet(index, count, map));
    }

    /** Allowed after the lease too, like a statement's close. */
    @Override
    public void free() throws SQLException {
        target.free();
    }
}
