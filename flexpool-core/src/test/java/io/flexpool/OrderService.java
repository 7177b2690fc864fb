// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/** An application: what it asks for has its lines as call sites. */
public final class OrderService {
    private OrderService() {}

    /** Where connections come from. */
    interface Connections {
        Connection get() throws SQLException;
    }

    /** A connection from the first of two places. */
    static Connection place(Connections pool) throws SQLException {
        return pool.get();
    }

    /** A connection from the second. */
    static Connection ship(Connections pool) throws SQLException {
        return pool.get();
    }

    /** The type of what {@link #placing} wants: a proxy of it lies in this package, for it is not public. */
    public static Class<?> connectionsType() {
        return Connections.class;
    }

    /** As {@link #place}. */
    public static void placing(Object connections) throws SQLException {
        place((Connections) connections);
    }

    /** Calls any code from here. */
    public static <T> T calling(Supplier<T> something) {
        return something.get();
    }
}
