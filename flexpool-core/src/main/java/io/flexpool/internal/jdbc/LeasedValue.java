// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.SQLException;
import java.sql.Wrapper;
import org.jspecify.annotations.NullUnmarked;

/**
 * A value or metadata of a lease, which leads to the driver's connection, or reads and writes through it: plain
 * delegation to the driver's value. {@link LeasedValues} unwraps it where the application passes it back, because
 * drivers cast values to their own classes.
 *
 * <p>{@code toString()} of a value is the driver's, because it is the content of some values. Two fields, 24 bytes with
 * compressed references.
 *
 * @param <T> the type of the value
 */
@NullUnmarked
abstract class LeasedValue<T> implements Wrapper {
    final T target;
    final LeasedConnection connection;

    LeasedValue(T target, LeasedConnection connection) {
        this.target = target;
        this.connection = connection;
    }

    /** The driver's value while the lease lasts. */
    final T open() throws SQLException {
        connection.check(target);
        return target;
    }

    /** The driver's value, for the driver. */
    T returned() throws SQLException {
        return open();
    }

    @Override
    public final <I> I unwrap(Class<I> iface) throws SQLException {
        return Unwrapping.unwrap(iface, this, target, connection);
    }

    @Override
    public final boolean isWrapperFor(Class<?> iface) throws SQLException {
        return Unwrapping.isWrapperFor(iface, this, target, connection);
    }

    @Override
    public String toString() {
        return target.toString();
    }
}
