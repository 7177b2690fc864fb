// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.mockito.Mockito.mock;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A leased connection. */
record Held(long lease, Connection connection, long acquiredNanos, boolean lasts) implements Leased {
    @Override
    public String requestClass() {
        return "";
    }

    @Override
    public @Nullable OpenLease read() {
        return lasts ? mock(OpenLease.class) : null;
    }

    @Override
    public boolean end(String reason, Consumer<Connection> first) {
        throw new AssertionError("not ended here");
    }
}
