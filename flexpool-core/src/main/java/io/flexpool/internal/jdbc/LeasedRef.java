// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.Ref;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/** A reference of a lease; see {@link LeasedValue}. */
@NullUnmarked
final class LeasedRef extends LeasedValue<Ref> implements Ref {
    LeasedRef(Ref target, LeasedConnection connection) {
        super(target, connection);
    }

    @Override
    public String getBaseTypeName() throws SQLException {
        return open().getBaseTypeName();
    }

    @Override
    public Object getObject(Map<String, Class<?>> map) throws SQLException {
        return LeasedValues.out(open().getObject(map), connection);
    }

    @Override
    public Object getObject() throws SQLException {
        return LeasedValues.out(open().getObject(), connection);
    }

    @Override
    public void setObject(Object value) throws SQLException {
        open().setObject(LeasedValues.in(value));
    }
}
