// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps a pool's events, with the times of their arrival. Thread-safe. */
final class FaultEvents implements PoolListener {
    /** As long as the library promises that nothing grows after a connect failure, less the delay of delivery. */
    private static final Duration NO_GROWTH = Duration.ofMillis(4_500);

    /** Growth that was decided before a connect failure may be reported after it. */
    private static final Duration ON_ITS_WAY = Duration.ofMillis(250);

    private record Arrived(PoolEvent event, long nanos) {}

    private final Queue<Arrived> arrived = new ConcurrentLinkedQueue<>();

    @Override
    public void onConnectFailed(PoolEvent.ConnectFailed event) {
        arrived.add(new Arrived(event, System.nanoTime()));
    }

    @Override
    public void onResized(PoolEvent.Resized event) {
        arrived.add(new Arrived(event, System.nanoTime()));
    }

    /** Growth while connects failed. */
    List<PoolEvent> growthAfterConnectFailures() {
        return arrived.stream()
                .filter(later -> later.event() instanceof PoolEvent.Resized resized
                        && resized.cause() == PoolEvent.ResizeCause.DEMAND
                        && arrived.stream().anyMatch(earlier -> follows(later, earlier)))
                .map(Arrived::event)
                .toList();
    }

    private static boolean follows(Arrived growth, Arrived failure) {
        long after = growth.nanos() - failure.nanos();
        return failure.event() instanceof PoolEvent.ConnectFailed
                && after > ON_ITS_WAY.toNanos()
                && after < NO_GROWTH.toNanos();
    }
}
