// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Under which names pools are shown now, so that two of one name are told apart. Thread-safe. */
final class PoolNames {
    private static final Logger LOG = LoggerFactory.getLogger(JfrEvents.class);

    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** The name, or the first of {@code name#2}, {@code name#3}… that is free. */
    String take(String pool) {
        for (int number = 1; ; number++) {
            String shown = number == 1 ? pool : pool + "#" + number;
            if (taken.add(shown)) {
                if (number > 1) {
                    LOG.warn("pool {}: the name is taken, its events are those of {}", pool, shown);
                }
                return shown;
            }
        }
    }

    void giveBack(String shown) {
        taken.remove(shown);
    }
}
