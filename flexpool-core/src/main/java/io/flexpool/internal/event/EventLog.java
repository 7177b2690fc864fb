// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.event.RecentEvent;
import io.flexpool.event.RecentEvent.Kind;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last {@value #SIZE} events of one pool. Thread-safe: whoever brings an event takes a number and writes one slot,
 * and nobody waits.
 *
 * <p>An outage brings thousands of failures a second, which would push the growth that came before them out at once. So
 * the failures of one second that have the same reason share a slot, which counts them and keeps the one that is explained. Two threads that bring the first
 * of a second at the same time may each take a slot: then there are two, and together they count right.
 */
public final class EventLog implements PoolListener {
    static final int SIZE = 100;
    static final long TOGETHER_MILLIS = 1_000;

    private final AtomicReferenceArray<Heard> slots = new AtomicReferenceArray<>(SIZE);
    private final Map<Kind, Heard> latest = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final InstantSource clock;

    public EventLog(InstantSource clock) {
        this.clock = clock;
    }

    /** An event, and those that are counted with it. */
    private static final class Heard {
        private final long number;
        private final Kind kind;
        /** The first of them; or the first that says why, if another one does. */
        private volatile PoolEvent event;

        private final long firstMillis;
        private final AtomicLong lastMillis;
        private final AtomicLong longestNanos;
        private final AtomicLong count = new AtomicLong(1);

        Heard(long number, Kind kind, PoolEvent event, long millis) {
            this.number = number;
            this.kind = kind;
            this.event = event;
            this.firstMillis = millis;
            this.lastMillis = new AtomicLong(millis);
            this.longestNanos = new AtomicLong(RecentEvent.nanosOf(event));
        }

        boolean takes(PoolEvent other, long millis) {
            return kind.comesInCrowds()
                    && millis - firstMillis < TOGETHER_MILLIS
                    && RecentEvent.sameReason(event, other);
        }

        void add(PoolEvent other, long millis) {
            count.incrementAndGet();
            lastMillis.accumulateAndGet(millis, Math::max);
            longestNanos.accumulateAndGet(RecentEvent.nanosOf(other), Math::max);
            if (explained(other) && !explained(event)) {
                event = other;
            }
        }

        private static boolean explained(PoolEvent event) {
            return (event instanceof PoolEvent.AcquisitionTimedOut timeout && timeout.explanation() != null)
                    || (event instanceof PoolEvent.ConnectFailed failed && failed.explanation() != null);
        }

        RecentEvent copy() {
            return new RecentEvent(number, kind, firstMillis, lastMillis.get(), count.get(), longestNanos.get(), event);
        }
    }

    private void hear(PoolEvent event) {
        long now = clock.millis();
        Kind kind = Kind.of(event);
        Heard before = latest.get(kind);
        if (before != null && before.takes(event, now)) {
            before.add(event, now);
            return;
        }
        long number = next.getAndIncrement();
        Heard heard = new Heard(number, kind, event, now);
        latest.put(kind, heard);
        slots.set((int) (number % SIZE), heard);
    }

    /** From the oldest to the newest, at most {@value #SIZE}. */
    public List<RecentEvent> events() {
        List<RecentEvent> events = new ArrayList<>(SIZE);
        for (int at = 0; at < SIZE; at++) {
            Heard heard = slots.get(at);
            if (heard != null) {
                events.add(heard.copy());
            }
        }
        events.sort(Comparator.comparingLong(RecentEvent::number));
        return events;
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

    @Override
    public void onSizingDecided(PoolEvent.SizingDecided event) {
        hear(event);
    }

    @Override
    public void onLeakSuspected(PoolEvent.LeakSuspected event) {
        hear(event);
    }

    @Override
    public void onLeakResolved(PoolEvent.LeakResolved event) {
        hear(event);
    }

    @Override
    public void onNestedAcquisition(PoolEvent.NestedAcquisition event) {
        hear(event);
    }
}
