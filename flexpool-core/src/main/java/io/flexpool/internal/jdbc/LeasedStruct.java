// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.SQLException;
import java.sql.Struct;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/**
 * A structured value of a lease; see {@link LeasedValue}. Unlike other values, it can be read and passed back after the
 * lease too: according to JDBC it is valid for as long as the application refers to it. {@code getAttributes} with a
 * map of types needs the driver's connection.
 */
@NullUnmarked
final class LeasedStruct extends LeasedValue<Struct> implements Struct {
    LeasedStruct(Struct target, LeasedConnection connection) {
        super(target, connection);
    }

    @Override
    Struct returned() {
        return target;
    }

    @Override
    public String getSQLTypeName() throws SQLException {
        return target.getSQLTypeName();
    }

    @Override
    public Object[] getAttributes() throws SQLException {
        return (Object[]) LeasedValues.out(target.getAttributes(), connection);
    }

    @Override
    public Object[] getAttributes(Map<String, Class<?>> map) throws SQLException {
        return (Object[]) LeasedValues.out(open().getAttributes(map), connection);
    }
}
