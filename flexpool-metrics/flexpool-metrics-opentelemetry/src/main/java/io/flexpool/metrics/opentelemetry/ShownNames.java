// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Under which names pools are shown in one place, so that two of one name do not write into one series. Thread-safe. */
final class ShownNames {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.metrics");

    /** Taken when a pool is bound or unbound. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final Map<Object, ShownNames> BY_PLACE = new WeakHashMap<>();

    private final Set<String> taken = new HashSet<>();

    /** The names in a place that others may share, whoever shows pools there. */
    static ShownNames of(Object place) {
        LOCK.lock();
        try {
            return BY_PLACE.computeIfAbsent(place, unknown -> new ShownNames());
        } finally {
            LOCK.unlock();
        }
    }

    /** The pool's name, or the first of {@code name#2}, {@code name#3}… that is free; the log says so. */
    String take(String pool) {
        LOCK.lock();
        try {
            for (int number = 1; ; number++) {
                String shown = number == 1 ? pool : pool + "#" + number;
                if (taken.add(shown)) {
                    if (number > 1) {
                        LOG.warn("pool {}: the name is taken in OpenTelemetry, it is shown as {}", pool, shown);
                    }
                    return shown;
                }
            }
        } finally {
            LOCK.unlock();
        }
    }

    void free(String shown) {
        LOCK.lock();
        try {
            taken.remove(shown);
        } finally {
            LOCK.unlock();
        }
    }
}
