// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.ParameterMetaData;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * The metadata of a statement's parameters, which ends with the lease: one driver passes the statement itself (SQLite).
 */
@NullUnmarked
final class LeasedParameterMetaData extends LeasedValue<ParameterMetaData> implements ParameterMetaData {
    private LeasedParameterMetaData(ParameterMetaData target, LeasedConnection connection) {
        super(target, connection);
    }

    /** Wraps metadata; null for null. */
    static LeasedParameterMetaData of(ParameterMetaData target, LeasedConnection connection) {
        return target == null ? null : new LeasedParameterMetaData(target, connection);
    }

    @Override
    public int getParameterCount() throws SQLException {
        return open().getParameterCount();
    }

    @Override
    public int isNullable(int parameter) throws SQLException {
        return open().isNullable(parameter);
    }

    @Override
    public boolean isSigned(int parameter) throws SQLException {
        return open().isSigned(parameter);
    }

    @Override
    public int getPrecision(int parameter) throws SQLException {
        return open().getPrecision(parameter);
    }

    @Override
    public int getScale(int parameter) throws SQLException {
        return open().getScale(parameter);
    }

    @Override
    public int getParameterType(int parameter) throws SQLException {
        return open().getParameterType(parameter);
    }

    @Override
    public String getParameterTypeName(int parameter) throws SQLException {
        return open().getParameterTypeName(parameter);
    }

    @Override
    public String getParameterClassName(int parameter) throws SQLException {
        return open().getParameterClassName(parameter);
    }

    @Override
    public int getParameterMode(int parameter) throws SQLException {
        return open().getParameterMode(parameter);
    }
}
