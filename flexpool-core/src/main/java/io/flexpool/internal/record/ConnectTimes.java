// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.adapter.ConnectTotals;
import io.flexpool.adapter.PoolAdapter;

/**
 * Makes single durations out of a pool's totals: what has come since the last look, four times a second, is mostly one
 * connect or none; several share their mean. Used by the loop's thread alone.
 */
public final class ConnectTimes {
    /** More at once would only delay the loop; the figures are a sample then. */
    private static final long MOST_AT_ONCE = 1_000;

    private final PoolAdapter adapter;
    private final Recorder recorder;
    private ConnectTotals before;

    /** Connects from before count too. */
    public ConnectTimes(PoolAdapter adapter, Recorder recorder) {
        this.adapter = adapter;
        this.recorder = recorder;
        this.before = ConnectTotals.NONE;
    }

    public void look() {
        ConnectTotals now = adapter.connects();
        long came = now.count() - before.count();
        long nanos = now.sumNanos() - before.sumNanos();
        before = now;
        // Some pools begin anew when they are restarted.
        if (came <= 0 || nanos < 0) {
            return;
        }
        for (long at = 0; at < Math.min(came, MOST_AT_ONCE); at++) {
            recorder.connected(nanos / came);
        }
    }
}
