// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.RequestClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Computes the last minute of each class, like {@link StatisticsHistory} for the pool. Guarded by a lock that only the
 * tick and readers take.
 */
public final class ClassHistory {
    private static final long WINDOW_NANOS = 60_000_000_000L;

    private final ReentrantLock lock = new ReentrantLock();
    private final ClassRecorder recorder;
    private final Deque<Mark> marks = new ArrayDeque<>();
    /** The longest wait of each class, without the recorder's current maximum. */
    private final long[] longestEver;

    /** The counts of each class at the end of a span, and the longest waits within it. */
    private static final class Mark {
        private final long nanos;
        private final long[] acquired;
        private final HistogramSnapshot[] waits;
        private final long[] longest;

        Mark(long nanos, int classes) {
            this.nanos = nanos;
            this.acquired = new long[classes];
            this.waits = new HistogramSnapshot[classes];
            this.longest = new long[classes];
            Arrays.fill(waits, HistogramSnapshot.EMPTY);
        }
    }

    /** A class's leases and waiting requests now; {@link ClassHistory#figures} adds its figures. */
    public record State(String name, int guaranteed, OptionalInt max, int leased, int waiting) {}

    private record Read(
            String name,
            int guaranteed,
            OptionalInt max,
            int leased,
            int waiting,
            HistogramSnapshot waits,
            HistogramSnapshot recentWaits,
            long timeouts,
            long shed)
            implements RequestClass {}

    /** Begins now. */
    public ClassHistory(ClassRecorder recorder, long nowNanos) {
        this.recorder = recorder;
        this.longestEver = new long[recorder.size()];
        marks.add(new Mark(nowNanos, recorder.size()));
    }

    /** Takes a copy if one is due. */
    public void tick(long nowNanos) {
        lock.lock();
        try {
            Mark before = marks.getLast();
            if (nowNanos - before.nanos >= StatisticsHistory.COPY_EVERY_NANOS) {
                marks.addLast(mark(nowNanos, before));
                forgetOld(nowNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    private Mark mark(long nowNanos, Mark before) {
        Mark mark = new Mark(nowNanos, recorder.size());
        for (int at = 0; at < recorder.size(); at++) {
            mark.acquired[at] = recorder.acquired(at);
            mark.longest[at] = recorder.waited(at).longest(true);
            longestEver[at] = Math.max(longestEver[at], mark.longest[at]);
            // A class without new requests reuses the last copy.
            mark.waits[at] = mark.acquired[at] == before.acquired[at]
                    ? before.waits[at]
                    : recorder.waits(at, HistogramSnapshot.UNKNOWN);
        }
        return mark;
    }

    private void forgetOld(long nowNanos) {
        while (marks.size() > 1 && nowNanos - marks.getFirst().nanos > WINDOW_NANOS) {
            marks.removeFirst();
        }
    }

    /**
     * The figures now.
     *
     * @param states the states of the classes, in their order
     */
    public List<RequestClass> figures(List<State> states, long nowNanos) {
        lock.lock();
        try {
            forgetOld(nowNanos);
            List<RequestClass> figures = new ArrayList<>();
            for (int at = 0; at < states.size(); at++) {
                int requestClass = at;
                long open = recorder.waited(at).longest(false);
                // The oldest mark's span lies before the window.
                long recent = marks.stream()
                        .skip(1)
                        .mapToLong(mark -> mark.longest[requestClass])
                        .reduce(open, Math::max);
                HistogramSnapshot waits = recorder.waits(at, Math.max(longestEver[at], open));
                HistogramSnapshot then = marks.getFirst().waits[at];
                State state = states.get(at);
                figures.add(new Read(
                        state.name(),
                        state.guaranteed(),
                        state.max(),
                        state.leased(),
                        state.waiting(),
                        waits,
                        waits.since(then, HistogramSnapshot.UNKNOWN, Math.max(recent, 1)),
                        recorder.timeouts(at),
                        recorder.shedCount(at)));
            }
            return List.copyOf(figures);
        } finally {
            lock.unlock();
        }
    }
}
