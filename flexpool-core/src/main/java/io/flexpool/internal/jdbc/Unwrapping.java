// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.NullUnmarked;

/**
 * Unwraps all delegates. The result is the delegate itself at any time, if it is an instance; during the lease also its
 * target, or the target's result of unwrap.
 */
@NullUnmarked
final class Unwrapping {
    private Unwrapping() {}

    static <T> T unwrap(Class<T> iface, Object wrapper, Object target, LeasedConnection connection)
            throws SQLException {
        if (known(iface).isInstance(wrapper)) {
            return iface.cast(wrapper);
        }
        connection.check(target);
        if (iface.isInstance(target)) {
            return iface.cast(target);
        }
        T inner = target instanceof Wrapper further ? further.unwrap(iface) : null;
        if (inner == null) {
            // Some pools return null instead of throwing.
            throw new SQLException("cannot unwrap to " + iface.getName());
        }
        return inner;
    }

    static boolean isWrapperFor(Class<?> iface, Object wrapper, Object target, LeasedConnection connection)
            throws SQLException {
        if (known(iface).isInstance(wrapper)) {
            return true;
        }
        connection.check(target);
        return iface.isInstance(target) || (target instanceof Wrapper further && further.isWrapperFor(iface));
    }

    private static <T> Class<T> known(Class<T> iface) throws SQLException {
        if (iface == null) {
            throw new SQLException("unwrap: the interface is null");
        }
        return iface;
    }
}
