// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.spi.UniqueNames;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names of the pools in one place, so that two pools of one name do not share a series. Thread-safe. */
final class ShownNames {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.metrics");

    /** Locked when a pool is bound or unbound. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final Map<Object, ShownNames> BY_PLACE = new WeakHashMap<>();

    private final UniqueNames taken = new UniqueNames();

    /** The names in a place that several binders may share. */
    static ShownNames of(Object place) {
        LOCK.lock();
        try {
            return BY_PLACE.computeIfAbsent(place, unknown -> new ShownNames());
        } finally {
            LOCK.unlock();
        }
    }

    /** The pool's name, or the first free one of {@code name#2}, {@code name#3}…, which is logged. */
    String take(String pool) {
        String shown = taken.take(pool);
        if (!shown.equals(pool)) {
            LOG.warn(
                    "{}: OpenTelemetry already has a pool of this name; this pool is shown as {}. Give each pool its own name.",
                    pool,
                    shown);
        }
        return shown;
    }

    void free(String shown) {
        taken.free(shown);
    }
}
