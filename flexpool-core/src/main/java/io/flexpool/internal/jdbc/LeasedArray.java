// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * An array of a lease, which ends with the lease as a {@link LeasedBlob} does: PostgreSQL's driver queries the type of
 * the elements at the first read, once for each connection and each type that the database defines.
 */
@NullUnmarked
final class LeasedArray extends LeasedValue<Array> implements Array {
    LeasedArray(Array target, LeasedConnection connection) {
        super(target, connection);
    }

    private ResultSet leased(ResultSet results) {
        return LeasedResultSet.of(results, null, connection);
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        return open().getBaseTypeName();
    }

    @Override
    public int getBaseType() throws SQLException {
        return open().getBaseType();
    }

    @Override
    public Object getArray() throws SQLException {
        return LeasedValues.out(open().getArray(), connection);
    }

    @Override
    public Object getArray(Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(open().getArray(map), connection);
    }

    @Override
    public Object getArray(long index, int count) throws SQLException {
        return LeasedValues.out(open().getArray(index, count), connection);
    }

    @Override
    public Object getArray(long index, int count, Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(open().getArray(index, count, map), connection);
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
