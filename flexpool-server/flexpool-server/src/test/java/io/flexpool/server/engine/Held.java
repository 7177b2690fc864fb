// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A leased connection; its lease cannot be read. */
record Held(long lease, Connection connection, long acquiredNanos, boolean lasts) implements Leased {
    @Override
    public @Nullable OpenLease read() {
        return null;
    }
}
