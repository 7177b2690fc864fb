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

/** Finds the provider on the class path that supports the pool's driver. Thread-safe. */
final class ProviderSearch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** Bounds the failures: a loader with unreadable directories fails at each call without advancing. */
    private static final int MOST = 100;

    private final List<ServerViewProvider> all;
    /** The provider; null until a connection shows which. */
    private volatile @Nullable ServerViewProvider found;
    /** Whether a connection has shown that no provider supports its driver. */
    private volatile boolean none;

    ProviderSearch(List<ServerViewProvider> all) {
        this.all = all;
    }

    /** The providers on the class path. Skips a broken provider with a warning. */
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
                // Two class loaders may find the same provider.
                if (found.stream().noneMatch(known -> known.getClass() == one.getClass())) {
                    found.add(one);
                }
            } catch (LinkageError noDriver) {
                // Skipped without a log line: an application does not need every driver.
            } catch (ServiceConfigurationError | RuntimeException broken) {
                // Logs only the exception's class: its message may contain anything.
                LOG.warn(
                        "skipping a broken module of the server view ({}): reports may lack the server's sessions."
                                + " Check that all flexpool modules have the same version.",
                        broken.getClass().getName());
            }
        }
    }

    boolean none() {
        return none;
    }

    /**
     * The provider that supports these connections; null if no connection shows it, or no provider supports their
     * driver.
     */
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

    /** Tries all providers with one connection. False if the connection cannot decide. */
    private boolean by(Connection connection) {
        boolean answered = true;
        for (ServerViewProvider one : all) {
            try {
                if (one.supports(connection)) {
                    found = one;
                    return true;
                }
            } catch (SQLException ended) {
                // The connection was closed meanwhile; try the next one.
                answered = false;
            } catch (LinkageError noDriver) {
                // The provider's driver is not on the class path, so the connection belongs to another driver.
            }
        }
        none = answered;
        return answered;
    }
}
