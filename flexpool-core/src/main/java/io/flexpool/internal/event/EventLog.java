// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.event.PoolListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #SIZE} events of one pool. Thread-safe and lock-free: an event takes a number and writes one slot.
 *
 * <p>An outage brings thousands of failures a second, which would evict the growth before them at once. So failures of
 * one second with the same reason share a slot, which counts them and keeps an explained one. Two threads with the
 * first failure of a second may each take a slot: the counts of both add up correctly.
 */
public final class EventLog implements PoolListener {
    static final int SIZE = 100;
    static final long TOGETHER_MILLIS = 1_000;

    private static final long NO_DURATION = -1;

    private final AtomicReferenceArray<Kept> slots = new AtomicReferenceArray<>(SIZE);
    private final Map<Kind, Kept> latest = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final InstantSource clock;

    public EventLog(InstantSource clock) {
        this.clock = clock;
    }

    /** An event, and those counted with it. */
    private static final class Kept {
        private final long number;
        /** The first of them; or the first with an explanation, if there is one. */
        private volatile PoolEvent event;

        private final long firstMillis;
        private final AtomicLong lastMillis;
        private final AtomicLong longestNanos;
        private final AtomicLong count = new AtomicLong(1);

        Kept(long number, PoolEvent event, long millis) {
            this.number = number;
            this.event = event;
            this.firstMillis = millis;
            this.lastMillis = new AtomicLong(millis);
            this.longestNanos = new AtomicLong(nanos(event));
        }

        boolean takes(PoolEvent other, long millis) {
            return ofOneRequest(event.kind()) && millis - firstMillis < TOGETHER_MILLIS && sameReason(event, other);
        }

        void add(PoolEvent other, long millis) {
            count.incrementAndGet();
            lastMillis.accumulateAndGet(millis, Math::max);
            longestNanos.accumulateAndGet(nanos(other), Math::max);
            if (other.explanation() != null && event.explanation() == null) {
                event = other;
            }
        }

        PoolEvent.Recent copy() {
            long longest = longestNanos.get();
            return new Remembered(
                    number,
                    Instant.ofEpochMilli(firstMillis),
                    Instant.ofEpochMilli(lastMillis.get()),
                    count.get(),
                    longest == NO_DURATION ? null : Duration.ofNanos(longest),
                    event);
        }
    }

    private record Remembered(
            long number,
            Instant first,
            Instant last,
            long count,
            @Nullable Duration longest,
            PoolEvent event) implements PoolEvent.Recent {}

    private static long nanos(PoolEvent event) {
        Duration duration = event.duration();
        return duration == null ? NO_DURATION : duration.toNanos();
    }

    /** Kinds whose events share a slot; an event of any other kind reports a change or lease of its own. */
    private static boolean ofOneRequest(Kind kind) {
        return switch (kind) {
            case TIMEOUT, SLOW_ACQUISITION, LONG_LEASE, CONNECT_FAILURE, REJECTED, NESTED_ACQUISITION -> true;
            case CIRCUIT, RESIZED, SIZING_DECIDED, LEAK_SUSPECTED, LEAK_RESOLVED -> false;
        };
    }

    /** Compares two events of one kind. */
    private static boolean sameReason(PoolEvent one, PoolEvent other) {
        return !(one instanceof PoolEvent.ConnectFailed mine)
                || (other instanceof PoolEvent.ConnectFailed theirs
                        && mine.reason().equals(theirs.reason())
                        && Objects.equals(mine.sqlState(), theirs.sqlState()));
    }

    @Override
    public void onEvent(PoolEvent event) {
        long now = clock.millis();
        Kept before = latest.get(event.kind());
        if (before != null && before.takes(event, now)) {
            before.add(event, now);
            return;
        }
        long number = next.getAndIncrement();
        Kept kept = new Kept(number, event, now);
        latest.put(event.kind(), kept);
        slots.set((int) (number % SIZE), kept);
    }

    /** The events, oldest first, at most {@value #SIZE}. */
    public List<PoolEvent.Recent> events() {
        List<PoolEvent.Recent> events = new ArrayList<>(SIZE);
        for (int at = 0; at < SIZE; at++) {
            Kept kept = slots.get(at);
            if (kept != null) {
                events.add(kept.copy());
            }
        }
        events.sort(Comparator.comparingLong(PoolEvent.Recent::number));
        return events;
    }
}
