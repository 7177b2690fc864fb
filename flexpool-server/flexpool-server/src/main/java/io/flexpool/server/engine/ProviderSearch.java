// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which of the modules on the class path knows the pool's driver. Thread-safe. */
final class ProviderSearch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** A loader whose directories cannot be read fails at each call without advancing. */
    private static final int MOST = 100;

    private final List<ServerViewProvider> all;
    /** Null until a connection has shown it. */
    private volatile @Nullable ServerViewProvider found;
    /** Whether a connection has shown that none does. */
    private volatile boolean none;

    ProviderSearch(List<ServerViewProvider> all) {
        this.all = all;
    }

    /** The modules; empty if there is none. One that is broken is left out with a warning. */
    static List<ServerViewProvider> onClassPath() {
        List<ServerViewProvider> found = new ArrayList<>();
        ClassLoader own = ProviderSearch.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        addFrom(own, found);
        if (context != own) {
            addFrom(context, found);
        }
        return found;
    }

    private static void addFrom(@Nullable ClassLoader loader, List<ServerViewProvider> found) {
        Iterator<ServerViewProvider> all =
                ServiceLoader.load(ServerViewProvider.class, loader).iterator();
        for (int at = 0; at < MOST; at++) {
            try {
                if (!all.hasNext()) {
                    return;
                }
                ServerViewProvider one = all.next();
                // The same module may be found by two class loaders.
                if (found.stream().noneMatch(known -> known.getClass() == one.getClass())) {
                    found.add(one);
                }
            } catch (LinkageError noDriver) {
                // Skipped in silence: an application need not have every driver.
            } catch (ServiceConfigurationError | RuntimeException broken) {
                // Without its message, which may name anything.
                LOG.warn(
                        "a view of a server is broken and was skipped: {}",
                        broken.getClass().getName());
            }
        }
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
