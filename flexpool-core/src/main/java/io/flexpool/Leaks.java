// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Values;
import java.time.Duration;

/**
 * What is done about open leases that do not end: see {@link FlexPoolBuilder#leaks}. Each method returns a copy. Ranges
 * are checked when the pool is built. Immutable.
 */
public final class Leaks {
    final Values values;

    private Leaks(Values values) {
        this.values = values;
    }

    /**
     * Suspects an open lease to be a leak from an age on, and reports it once.
     *
     * @param threshold 30 s to 1 day; shorter only with {@link #allowShort()}
     * @return settings with that threshold
     */
    public static Leaks after(Duration threshold) {
        return new Leaks(Values.NONE).with(CoreKey.LEAK_THRESHOLD, threshold);
    }

    /**
     * Aborts a connection from an age on and frees its place, even while its holder uses it. By default never.
     *
     * @param age longer than the threshold, at most 1 day
     * @return this
     */
    public Leaks reclaimAfter(Duration age) {
        return with(CoreKey.LEAK_RECLAIM_AFTER, age);
    }

    /** {@return a copy that allows a threshold below 30 s, which ordinary work may exceed: for tests} */
    public Leaks allowShort() {
        return with(CoreKey.LEAK_ALLOW_SHORT, true);
    }

    private Leaks with(CoreKey key, Object value) {
        return new Leaks(values.with(key, value));
    }
}
