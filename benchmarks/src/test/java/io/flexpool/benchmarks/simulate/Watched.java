// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.PoolWindow;

/** A controller that is held to what it must never do, at each tick. */
final class Watched implements SimController {
    private static final long CONNECT_HOLD_NANOS = 5_000_000_000L;

    private final SimController controller;
    private long lastConnectFailureNanos = Long.MIN_VALUE / 2;
    private int ticks;

    Watched(SimController controller) {
        this.controller = controller;
    }

    int ticks() {
        return ticks;
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public void begin(SimPool pool) {
        controller.begin(pool);
    }

    @Override
    public void onAcquired(long nowNanos, long waitedNanos) {
        controller.onAcquired(nowNanos, waitedNanos);
    }

    @Override
    public void onReleased(long nowNanos, long leaseNanos, int activeAtStart, boolean failed) {
        controller.onReleased(nowNanos, leaseNanos, activeAtStart, failed);
    }

    @Override
    public boolean onTimeout(long nowNanos, int attempt) {
        return controller.onTimeout(nowNanos, attempt);
    }

    @Override
    public int onTick(PoolWindow window) {
        ticks++;
        if (window.traffic().connectFailures() > 0) {
            lastConnectFailureNanos = window.nowNanos();
        }
        int to = controller.onTick(window);
        assertThat(to).as("of %s", window).isBetween(Contender.LEAST, window.ceiling());
        if (to > window.limit()) {
            assertThat(window.nowNanos() - lastConnectFailureNanos)
                    .as("grown to %s since a connect failed, nanoseconds: %s", to, window)
                    .isGreaterThanOrEqualTo(CONNECT_HOLD_NANOS);
            assertThat(window.total()).as("grown to %s: %s", to, window).isGreaterThanOrEqualTo(window.limit());
        }
        return to;
    }
}
