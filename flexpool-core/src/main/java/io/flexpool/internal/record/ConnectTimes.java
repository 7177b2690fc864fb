// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.ConnectTotals;

/**
 * Derives single connect durations from a pool's totals: between two ticks there is usually one connect or none;
 * several share their mean. Used by the tick's thread only.
 *
 * <p>No pool reports single connects without a hook or a tracker of the user, and HikariCP's tracker would cost on
 * every acquisition. Druid's sum includes failed connects, which its count does not: it is not used. If a pool reports
 * no totals, the figure is left out, not zero.
 */
public final class ConnectTimes {
    /** More at once would only delay the tick; the metrics are a sample then. */
    private static final long MOST_AT_ONCE = 1_000;

    private final PoolAdapter adapter;
    private final Recorder recorder;
    /** Connects before the pool was wrapped count too. */
    private ConnectTotals before = ConnectTotals.NONE;

    public ConnectTimes(PoolAdapter adapter, Recorder recorder) {
        this.adapter = adapter;
        this.recorder = recorder;
    }

    /** Records the connects since the last call. */
    public void update() {
        ConnectTotals now = adapter.connects();
        long came = now.count() - before.count();
        long nanos = now.time().minus(before.time()).toNanos();
        before = now;
        // Some pools reset their totals at a restart.
        if (came <= 0 || nanos < 0) {
            return;
        }
        for (long at = 0; at < Math.min(came, MOST_AT_ONCE); at++) {
            recorder.connects.record(nanos / came);
        }
    }
}
