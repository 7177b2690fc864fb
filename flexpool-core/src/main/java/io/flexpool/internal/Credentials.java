// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code getConnection(user, password)}. Never printed.
 *
 * @param user the user, as the caller gave it
 * @param password the password, as the caller gave it
 */
record Credentials(@Nullable String user, @Nullable String password) {
    @Override
    public String toString() {
        return "Credentials[***]";
    }
}
