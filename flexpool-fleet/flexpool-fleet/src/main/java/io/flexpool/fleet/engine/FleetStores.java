// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.ConnectionBudgetProvider;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the module of a store. */
final class FleetStores {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** Bounds the failures: a loader with unreadable directories fails at each call without advancing. */
    private static final int MOST = 100;

    private FleetStores() {}

    /** The first provider that serves a store; null if none is on the class path. */
    static @Nullable ConnectionBudgetProvider find(String store) {
        ClassLoader own = FleetStores.class.getClassLoader();
        ConnectionBudgetProvider found = find(store, own);
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return found != null || context == own ? found : find(store, context);
    }

    private static @Nullable ConnectionBudgetProvider find(String store, @Nullable ClassLoader loader) {
        Iterator<ConnectionBudgetProvider> all =
                ServiceLoader.load(ConnectionBudgetProvider.class, loader).iterator();
        for (int at = 0; at < MOST; at++) {
            try {
                if (!all.hasNext()) {
                    return null;
                }
                ConnectionBudgetProvider one = all.next();
                if (one.stores().contains(store)) {
                    return one;
                }
            } catch (LinkageError noLibrary) {
                // Skipped without a log line: an application need not have every library.
            } catch (ServiceConfigurationError | RuntimeException broken) {
                // Without its message, which may contain any text.
                LOG.warn(
                        "skipping a broken module of a fleet's store ({}). Check that all flexpool modules have the same"
                                + " version.",
                        broken.getClass().getName());
            }
        }
        return null;
    }
}
