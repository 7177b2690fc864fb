// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Keeps a pool's events, with the times at which they were told. Thread-safe. */
final class FaultEvents implements PoolListener {
    /** As long as the library promises that nothing grows after a connect failure, less what telling it may take. */
    private static final Duration NO_GROWTH = Duration.ofMillis(4_500);

    /** Growth is reported through a queue: what was decided before a connect failure may arrive after it on a busy machine. */
    private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

    private record Told(PoolEvent event, long nanos) {}

    private final Queue<Told> told = new ConcurrentLinkedQueue<>();

    @Override
    public void onConnectFailed(PoolEvent.ConnectFailed event) {
        told.add(new Told(event, System.nanoTime()));
    }

    @Override
    public void onResized(PoolEvent.Resized event) {
        told.add(new Told(event, System.nanoTime()));
    }

    /** Growth while connects failed. */
    List<PoolEvent> growthAfterConnectFailures() {
        return told.stream()
                .filter(later -> later.event() instanceof PoolEvent.Resized resized
                        && resized.cause() == PoolEvent.ResizeCause.DEMAND
                        && told.stream().anyMatch(earlier -> follows(later, earlier)))
                .map(Told::event)
                .toList();
    }

    private static boolean follows(Told growth, Told failure) {
        long after = growth.nanos() - failure.nanos();
        return failure.event() instanceof PoolEvent.ConnectFailed
                && after > ON_ITS_WAY.toNanos()
                && after < NO_GROWTH.toNanos();
    }
}
