// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.Traffic;

/**
 * Little's law with room for chance, and a guard: the size is a + k·√a of the offered load a = rate × lease, both smoothed
 * over the ticks. While leases last longer than a multiple of the shortest smoothed lease, it does not grow: the database
 * is slow, and more of it would not help.
 */
final class LittleAndGuard implements SimController {
    private static final double SECONDS_PER_TICK = 0.25;
    private static final double NANOS_PER_SECOND = 1e9;
    /** So much of its distance the shortest lease moves up at each tick: it forgets within minutes. */
    private static final double FORGETTING = 0.001;

    private final double room;
    private final double guard;
    private final double smoothing;
    private double rate = Double.NaN;
    private double lease = Double.NaN;
    private double calm = Double.NaN;

    /**
     * With its parameters.
     *
     * @param room k
     * @param guard how many times longer than the shortest leases may last
     * @param smoothing the weight of the latest tick, above 0 up to 1
     */
    LittleAndGuard(double room, double guard, double smoothing) {
        this.room = room;
        this.guard = guard;
        this.smoothing = smoothing;
    }

    @Override
    public String name() {
        return Contender.LITTLE_GUARD.toString();
    }

    @Override
    public int onTick(PoolWindow window) {
        Traffic traffic = window.traffic();
        rate = smoothed(rate, traffic.arrivals() / SECONDS_PER_TICK);
        if (traffic.completions() > 0) {
            lease = smoothed(lease, traffic.leaseNanos() / NANOS_PER_SECOND / traffic.completions());
            calm = Double.isNaN(calm) || lease < calm ? lease : calm + FORGETTING * (lease - calm);
        }
        if (Double.isNaN(lease)) {
            return window.limit();
        }
        double load = rate * lease;
        int wanted = (int) Math.ceil(load + room * Math.sqrt(load));
        int size = Math.max(Contender.LEAST, Math.min(window.ceiling(), wanted));
        return lease > guard * calm ? Math.min(size, window.limit()) : size;
    }

    private double smoothed(double before, double latest) {
        return Double.isNaN(before) ? latest : before + smoothing * (latest - before);
    }
}
