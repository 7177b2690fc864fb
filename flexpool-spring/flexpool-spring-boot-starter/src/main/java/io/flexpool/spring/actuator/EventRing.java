// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolListener;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #SIZE} events of one pool. Thread-safe, for whoever brings an event takes a number and
 * writes one slot; nobody waits.
 *
 * <p>An outage brings thousands of failures a second, which would push the growth that came before them out at once. So
 * the failures of one second that have the same reason share a slot, which counts them. Two threads that bring the first
 * of a second at the same time may each take a slot: then there are two, and together they count right.
 */
final class EventRing implements PoolListener {
    static final int SIZE = 100;
    static final long TOGETHER_MILLIS = 1_000;

    private final AtomicReferenceArray<HeardEvent> slots = new AtomicReferenceArray<>(SIZE);
    private final Map<EventKind, HeardEvent> latest = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final InstantSource clock;

    EventRing(InstantSource clock) {
        this.clock = clock;
    }

    private void hear(PoolEvent event) {
        long now = clock.millis();
        EventKind kind = EventKind.of(event);
        HeardEvent before = latest.get(kind);
        if (before != null && before.takes(kind, event, now)) {
            before.add(event, now);
            return;
        }
        long number = next.getAndIncrement();
        HeardEvent heard = new HeardEvent(number, kind, event, now);
        latest.put(kind, heard);
        slots.set((int) (number % SIZE), heard);
    }

    /** From the oldest to the newest, at most {@value #SIZE}. */
    List<HeardEvent> events() {
        List<HeardEvent> events = new ArrayList<>(SIZE);
        for (int at = 0; at < SIZE; at++) {
            HeardEvent heard = slots.get(at);
            if (heard != null) {
                events.add(heard);
            }
        }
        events.sort(Comparator.comparingLong(HeardEvent::number));
        return events;
    }

    /** The newest of a kind, even if others have pushed it out; null if there was none. */
    @Nullable
    HeardEvent latest(EventKind kind) {
        return latest.get(kind);
    }

    /** How many were pushed out by later ones. */
    long forgotten() {
        return Math.max(0, next.get() - SIZE);
    }

    @Override
    public void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {
        hear(event);
    }

    @Override
    public void onAcquisitionSlow(PoolEvent.AcquisitionSlow event) {
        hear(event);
    }

    @Override
    public void onLeaseLong(PoolEvent.LeaseLong event) {
        hear(event);
    }

    @Override
    public void onConnectFailed(PoolEvent.ConnectFailed event) {
        hear(event);
    }

    @Override
    public void onAcquisitionRejected(PoolEvent.AcquisitionRejected event) {
        hear(event);
    }

    @Override
    public void onCircuitChanged(PoolEvent.CircuitChanged event) {
        hear(event);
    }

    @Override
    public void onResized(PoolEvent.Resized event) {
        hear(event);
    }
}
