// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.internal.config.CoreKey.FleetStore;
import io.flexpool.internal.discovery.Providers;
import io.flexpool.internal.shared.Words;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Finds the module of a store. */
public final class FleetStores {
    private FleetStores() {}

    /** The first provider that serves a store; null if none is on the class path. */
    public static @Nullable ConnectionBudgetProvider find(FleetStore store) {
        String word = Words.word(store);
        AtomicReference<@Nullable ConnectionBudgetProvider> found = new AtomicReference<>();
        Providers.each(ConnectionBudgetProvider.class, one -> {
            if (one.stores().contains(word)) {
                found.compareAndSet(null, one);
            }
        });
        return found.get();
    }
}
