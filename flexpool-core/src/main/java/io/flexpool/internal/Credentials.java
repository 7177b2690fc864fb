// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * {@code getConnection(user, password)}. Never printed.
 *
 * @param user the user, as the caller gave it
 * @param password the password, as the caller gave it
 */
record Credentials(@Nullable String user, @Nullable String password) implements ConnectionRequest {
    @Override
    public @Nullable Connection open(DataSource target) throws SQLException {
        return target.getConnection(user, password);
    }

    @Override
    public String toString() {
        return "Credentials[***]";
    }
}
