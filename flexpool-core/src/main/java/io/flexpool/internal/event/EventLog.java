// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.internal.shared.PlainText;
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
 * The last {@value #SIZE} events of one pool. Thread-safe; an add blocks only adds of the same kind.
 *
 * <p>In an outage, thousands of failures a second would evict earlier growth events at once. So failures of one second
 * with the same reason share a slot, which counts them and keeps an explained one.
 */
public final class EventLog {
    static final int SIZE = 100;
    static final Duration TOGETHER = Duration.ofSeconds(1);

    private final AtomicReferenceArray<Kept> slots = new AtomicReferenceArray<>(SIZE);
    private final Map<Kind, Kept> latest = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final InstantSource clock;

    public EventLog(InstantSource clock) {
        this.clock = clock;
    }

    /** The first event of a slot, or the first with an explanation, and the count of the events that share the slot. */
    private record Kept(
            long number,
            Instant first,
            Instant last,
            long count,
            @Nullable Duration longest,
            PoolEvent event) implements PoolEvent.Recent {
        @Override
        public String describe() {
            return first + " " + event.kind() + (count > 1 ? " (" + count + " times)" : "") + ": "
                    + PlainText.line(event.describe());
        }

        boolean takes(PoolEvent other, Instant now) {
            return ofOneRequest(event.kind())
                    && Duration.between(first, now).abs().compareTo(TOGETHER) < 0 // the clock can be set back
                    && sameReason(event, other);
        }

        Kept with(PoolEvent other, Instant now) {
            Duration duration = other.duration();
            return new Kept(
                    number,
                    first,
                    now.isAfter(last) ? now : last,
                    count + 1,
                    longest == null || (duration != null && duration.compareTo(longest) > 0) ? duration : longest,
                    event.explanation() == null && other.explanation() != null ? other : event);
        }
    }

    /** Whether events of a kind may share a slot; any other event reports a separate change or lease. */
    private static boolean ofOneRequest(Kind kind) {
        return switch (kind) {
            case TIMEOUT, SLOW_ACQUISITION, LONG_LEASE, CONNECT_FAILURE, REJECTED, NESTED_ACQUISITION, PART -> true;
            case CIRCUIT, RESIZED, GROWTH_REFUSED, SIZING_DECIDED, LEAK_SUSPECTED, LEAK_RESOLVED, LIFECYCLE -> false;
        };
    }

    private static boolean sameReason(PoolEvent one, PoolEvent other) {
        if (one instanceof PoolEvent.PartReported mine && other instanceof PoolEvent.PartReported theirs) {
            return mine.name().equals(theirs.name());
        }
        return !(one instanceof PoolEvent.ConnectFailed mine)
                || (other instanceof PoolEvent.ConnectFailed theirs
                        && mine.reason().equals(theirs.reason())
                        && Objects.equals(mine.sqlState(), theirs.sqlState()));
    }

    public void add(PoolEvent event) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        latest.compute(event.kind(), (kind, before) -> {
            if (before != null && before.takes(event, now)) {
                Kept both = before.with(event, now);
                // Has no effect if other events have filled all slots since.
                slots.compareAndSet(slot(before), before, both);
                return both;
            }
            Kept one = new Kept(next.getAndIncrement(), now, now, 1, event.duration(), event);
            slots.set(slot(one), one);
            return one;
        });
    }

    private static int slot(Kept kept) {
        return (int) (kept.number() % SIZE);
    }

    /** The events, oldest first, at most {@value #SIZE}. */
    public List<PoolEvent.Recent> events() {
        List<PoolEvent.Recent> events = new ArrayList<>(SIZE);
        for (int at = 0; at < SIZE; at++) {
            Kept kept = slots.get(at);
            if (kept != null) {
                events.add(kept);
            }
        }
        events.sort(Comparator.comparingLong(PoolEvent.Recent::number));
        return events;
    }
}
