// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.internal.discovery.Providers;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which of the modules on the class path knows the pool's driver. Thread-safe. */
final class ProviderSearch {
    private final List<ServerViewProvider> all;
    /** Null until a connection has shown it. */
    private volatile @Nullable ServerViewProvider found;
    /** Whether a connection has shown that none does. */
    private volatile boolean none;

    ProviderSearch(List<ServerViewProvider> all) {
        this.all = all;
    }

    /** The modules; empty if there is none. */
    static List<ServerViewProvider> onClassPath() {
        List<ServerViewProvider> found = new ArrayList<>();
        Providers.each(ServerViewProvider.class, one -> {
            // The same module may be found by two class loaders.
            if (found.stream().noneMatch(known -> known.getClass() == one.getClass())) {
                found.add(one);
            }
        });
        return found;
    }

    boolean none() {
        return none;
    }

    /** Finds it by some connections; null if none of them shows it, or if no module knows their driver. */
    @Nullable
    ServerViewProvider by(List<Connection> connections) {
        if (found == null && !none) {
            for (Connection each : connections) {
                if (by(each)) {
                    break;
                }
            }
        }
        return found;
    }

    /** False if the connection does not show it. */
    private boolean by(Connection connection) {
        boolean answered = true;
        for (ServerViewProvider one : all) {
            try {
                if (one.supports(connection)) {
                    found = one;
                    return true;
                }
            } catch (SQLException ended) {
                // Closed at this moment; the next connection may show it.
                answered = false;
            } catch (LinkageError noDriver) {
                // Its driver is not on the class path, so this is not its connection.
            }
        }
        none = answered;
        return answered;
    }
}
