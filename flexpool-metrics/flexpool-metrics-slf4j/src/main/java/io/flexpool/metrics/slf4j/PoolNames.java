// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/** Under which names pools are logged now, so that two of one name are told apart. Thread-safe. */
final class PoolNames {
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** The name, or the first of {@code name#2}, {@code name#3}… that is free. */
    String take(String pool, Logger log) {
        for (int number = 1; ; number++) {
            String shown = number == 1 ? pool : pool + "#" + number;
            if (taken.add(shown)) {
                if (number > 1) {
                    log.warn("{}: the name is taken, this pool's lines are those of {}", pool, shown);
                }
                return shown;
            }
        }
    }

    void giveBack(String shown) {
        taken.remove(shown);
    }
}
