// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Computes windows from the recorder's cumulative counts: the tick takes a copy every five seconds, and the recent
 * statistics are the difference between now and the oldest copy of the last minute. Also holds the sampled values:
 * active, pending, limit.
 *
 * <p>Guarded by a lock that only the tick and readers take.
 */
public final class StatisticsHistory {
    /** Of a pool that is not monitored. */
    public static final PoolStatistics NONE = none();

    static final long COPY_EVERY_NANOS = 5_000_000_000L;
    private static final long WINDOW_NANOS = 60_000_000_000L;

    private static final class Samples {
        private final long[] active = new long[CountDistribution.LARGEST + 1];
        private final long[] pending = new long[CountDistribution.LARGEST + 1];
        private final long[] limit = new long[CountDistribution.LARGEST + 1];
        private final long[] grownBy = new long[CountDistribution.LARGEST + 1];

        static void add(long[] counts, int number) {
            counts[Math.max(0, Math.min(number, CountDistribution.LARGEST))]++;
        }

        Sampled copy() {
            return new Sampled(
                    CountDistribution.of(active),
                    CountDistribution.of(pending),
                    CountDistribution.of(limit),
                    CountDistribution.of(grownBy));
        }
    }

    private record Sampled(
            CountDistribution active, CountDistribution pending, CountDistribution limit, CountDistribution grownBy) {
        Sampled since(Sampled older) {
            return new Sampled(
                    active.since(older.active),
                    pending.since(older.pending),
                    limit.since(older.limit),
                    grownBy.since(older.grownBy));
        }
    }

    /** The counts at the end of a span, and the longest durations within it. */
    private record Mark(
            long nanos, Recorder.Copy copy, Sampled sampled, long listenerErrors, Recorder.Longest longestBefore) {}

    private record Statistics(Figures total, Figures recent, Duration window, Rates acquisitionRates, Rates leaseRates)
            implements PoolStatistics {}

    private record Averages(double mean, double oneMinute, double fiveMinutes, double fifteenMinutes)
            implements Rates {}

    private record Span(
            Map<AcquisitionOutcome, HistogramSnapshot> acquisitions,
            HistogramSnapshot attempts,
            HistogramSnapshot leases,
            HistogramSnapshot connects,
            CountDistribution active,
            CountDistribution pending,
            CountDistribution limit,
            CountDistribution grownBy,
            CountDistribution retries,
            long growths,
            long shrinks,
            long refusedGrowths,
            long connectFailures,
            long leaksSuspected,
            long nestedAcquisitions,
            long listenerErrors)
            implements Figures {
        @Override
        public HistogramSnapshot acquisition(AcquisitionOutcome outcome) {
            return acquisitions.getOrDefault(outcome, HistogramSnapshot.EMPTY);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Recorder recorder;
    private final ListenerGuard listeners;
    private final Samples samples = new Samples();
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Rate acquisitionRate = new Rate();
    private final Rate leaseRate = new Rate();
    private final long startNanos;
    private Recorder.Longest longestEver = Recorder.Longest.NONE;

    public StatisticsHistory(Recorder recorder, ListenerGuard listeners, long nowNanos) {
        this.recorder = recorder;
        this.listeners = listeners;
        this.startNanos = nowNanos;
        marks.add(mark(nowNanos, Recorder.Longest.NONE));
    }

    /** Takes one sample, and a copy if one is due. */
    public void tick(long nowNanos, PoolState state) {
        lock.lock();
        try {
            int limit = state.bound() ? state.limit() : state.pool().max();
            Samples.add(samples.active, state.leased());
            Samples.add(samples.pending, state.pending());
            if (limit != PoolSnapshot.UNKNOWN) {
                Samples.add(samples.limit, limit);
            }
            Samples.add(samples.grownBy, state.bound() ? state.limit() - state.base() : 0);
            while (nowNanos - marks.getLast().nanos() >= COPY_EVERY_NANOS) {
                acquisitionRate.tick(recorder.acquired());
                leaseRate.tick(recorder.released());
                // After a pause of the tick, the missed periods are made up for, so that rates decay correctly.
                marks.addLast(mark(marks.getLast().nanos() + COPY_EVERY_NANOS, endSpan()));
                forgetOld(nowNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    public PoolStatistics statistics(long nowNanos) {
        lock.lock();
        try {
            forgetOld(nowNanos);
            Mark from = marks.getFirst();
            Recorder.Longest open = recorder.peekLongest();
            Recorder.Longest recent = open;
            boolean first = true;
            for (Mark mark : marks) {
                // The oldest mark's span lies before the window.
                if (!first) {
                    recent = recent.max(mark.longestBefore());
                }
                first = false;
            }
            Recorder.Copy now = recorder.copy(longestEver.max(open));
            Sampled sampled = samples.copy();
            long errors = listeners.errors();
            return new Statistics(
                    figures(now, sampled, errors),
                    figuresSince(from, now, sampled, errors, recent),
                    Duration.ofNanos(nowNanos - from.nanos()),
                    acquisitionRate.rates(recorder.acquired(), nowNanos - startNanos),
                    leaseRate.rates(recorder.released(), nowNanos - startNanos));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lease times of the last minute, and before: up to a minute ago if there were enough leases by then, else up to
     * the first copy after that with enough.
     */
    public UsualLeases past(long nowNanos) {
        lock.lock();
        try {
            forgetOld(nowNanos);
            Mark from = marks.getFirst();
            HistogramSnapshot now = recorder.leases();
            HistogramSnapshot usual = now;
            for (Mark mark : marks) {
                if (mark.copy().leases().count() >= UsualLeases.ENOUGH) {
                    usual = mark.copy().leases();
                    break;
                }
            }
            return new UsualLeases(usual, now.since(from.copy().leases(), 0), nowNanos - from.nanos());
        } finally {
            lock.unlock();
        }
    }

    private Recorder.Longest endSpan() {
        Recorder.Longest longest = recorder.takeLongest();
        longestEver = longestEver.max(longest);
        return longest;
    }

    private Mark mark(long nowNanos, Recorder.Longest longestBefore) {
        return new Mark(nowNanos, recorder.copy(longestEver), samples.copy(), listeners.errors(), longestBefore);
    }

    private void forgetOld(long nowNanos) {
        // Never more than a minute, so that a change shows fully after one minute.
        while (marks.size() > 1 && nowNanos - marks.getFirst().nanos() > WINDOW_NANOS) {
            marks.removeFirst();
        }
    }

    private static PoolStatistics none() {
        HistogramSnapshot no = HistogramSnapshot.EMPTY;
        CountDistribution none = CountDistribution.EMPTY;
        Figures empty = new Span(Map.of(), no, no, no, none, none, none, none, none, 0, 0, 0, 0, 0, 0, 0);
        Rates zero = new Averages(0, 0, 0, 0);
        return new Statistics(empty, empty, Duration.ZERO, zero, zero);
    }

    private static Figures figures(Recorder.Copy now, Sampled sampled, long errors) {
        Map<AcquisitionOutcome, HistogramSnapshot> byOutcome = new EnumMap<>(now.failures());
        byOutcome.put(AcquisitionOutcome.OK, now.direct().plus(now.detoured()));
        return new Span(
                byOutcome,
                now.direct().plus(now.detouredAttempts()),
                now.leases(),
                now.connects(),
                sampled.active(),
                sampled.pending(),
                sampled.limit(),
                sampled.grownBy(),
                now.retries(),
                now.growths(),
                now.shrinks(),
                now.refusedGrowths(),
                now.connectFailures(),
                now.leaksSuspected(),
                now.nestedAcquisitions(),
                errors);
    }

    private static Figures figuresSince(
            Mark from, Recorder.Copy now, Sampled sampled, long errors, Recorder.Longest longest) {
        Recorder.Copy then = from.copy();
        Map<AcquisitionOutcome, HistogramSnapshot> failures = new EnumMap<>(AcquisitionOutcome.class);
        now.failures().forEach((outcome, histogram) -> {
            HistogramSnapshot older = then.failures().getOrDefault(outcome, HistogramSnapshot.EMPTY);
            failures.put(outcome, histogram.since(older, longest.failure(outcome)));
        });
        Recorder.Copy difference = new Recorder.Copy(
                now.direct().since(then.direct(), longest.direct()),
                now.detoured().since(then.detoured(), longest.detoured()),
                now.detouredAttempts().since(then.detouredAttempts(), longest.attempt()),
                now.leases().since(then.leases(), longest.lease()),
                now.connects().since(then.connects(), longest.connect()),
                failures,
                now.retries().since(then.retries()),
                now.growths() - then.growths(),
                now.shrinks() - then.shrinks(),
                now.refusedGrowths() - then.refusedGrowths(),
                now.connectFailures() - then.connectFailures(),
                now.leaksSuspected() - then.leaksSuspected(),
                now.nestedAcquisitions() - then.nestedAcquisitions());
        return figures(difference, sampled.since(from.sampled()), errors - from.listenerErrors());
    }

    /** Unix load averages over a cumulative count, moved once in {@link #COPY_EVERY_NANOS}. */
    private static final class Rate {
        private static final double SECONDS = COPY_EVERY_NANOS / 1e9;
        private static final double[] ALPHA = {alpha(1), alpha(5), alpha(15)};

        private final double[] perSecond = new double[ALPHA.length];
        private boolean started;
        private long before;

        private static double alpha(int minutes) {
            return 1 - Math.exp(-SECONDS / (60.0 * minutes));
        }

        void tick(long count) {
            double now = (count - before) / SECONDS;
            before = count;
            for (int at = 0; at < ALPHA.length; at++) {
                perSecond[at] = started ? perSecond[at] + ALPHA[at] * (now - perSecond[at]) : now;
            }
            started = true;
        }

        Rates rates(long count, long livedNanos) {
            double mean = livedNanos <= 0 ? 0 : count / (livedNanos / 1e9);
            return new Averages(mean, perSecond[0], perSecond[1], perSecond[2]);
        }
    }
}
