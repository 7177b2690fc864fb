// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.NullUnmarked;

/**
 * JDBC's deprecated methods: a caller may still use them, so a delegate has to pass them on. They are in one class, so
 * that one exception to the build's rule is enough.
 */
@NullUnmarked
@SuppressWarnings("deprecation") // that is what it is for
@DeprecatedCalls.OnPurpose
final class DeprecatedCalls {
    /**
     * Marks these calls as intended for the check for forbidden calls, which reads byte code. Named in the module's
     * POM.
     */
    @Retention(RetentionPolicy.CLASS)
    @interface OnPurpose {}

    private DeprecatedCalls() {}

    static void setUnicodeStream(PreparedStatement target, int index, InputStream stream, int length)
            throws SQLException {
        target.setUnicodeStream(index, stream, length);
    }

    static BigDecimal getBigDecimal(CallableStatement target, int index, int scale) throws SQLException {
        return target.getBigDecimal(index, scale);
    }

    static BigDecimal getBigDecimal(ResultSet target, int column, int scale) throws SQLException {
        return target.getBigDecimal(column, scale);
    }

    static BigDecimal getBigDecimal(ResultSet target, String label, int scale) throws SQLException {
        return target.getBigDecimal(label, scale);
    }

    static InputStream getUnicodeStream(ResultSet target, int column) throws SQLException {
        return target.getUnicodeStream(column);
    }

    static InputStream getUnicodeStream(ResultSet target, String label) throws SQLException {
        return target.getUnicodeStream(label);
    }
}
