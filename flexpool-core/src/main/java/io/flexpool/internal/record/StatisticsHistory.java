// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static io.flexpool.monitoring.HistogramSnapshot.UNKNOWN;

import io.flexpool.monitoring.CountDistribution;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
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
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Computes windows from the recorder's cumulative counts. The tick takes a copy every 5 s, and recent statistics are
 * the difference between now and the oldest copy of the last minute. Also samples active, pending and limit.
 *
 * <p>Guarded by a lock that only the tick and readers take.
 */
public final class StatisticsHistory {
    /** The statistics of a pool that is not monitored. */
    public static final PoolStatistics NONE =
            new Statistics(Span.EMPTY, Span.EMPTY, Duration.ZERO, Averages.ZERO, Averages.ZERO, 0, 0);

    static final long COPY_EVERY_NANOS = 5_000_000_000L;
    /**
     * The recent window begins at the oldest copy of at most this age, so it is 55 to 60 s long. With 60 to 65 s, the
     * many samples of a busy hour would still count a full minute after it.
     */
    private static final long WINDOW_NANOS = 60_000_000_000L;
    /** Below this number of durations the 99th percentile is the longest duration. */
    private static final int ENOUGH_FOR_PERCENTILES = 100;
    /** The least value from which the usual wait rises. */
    private static final long SHORT_WAIT_NANOS = 1_000_000;

    /** The counts at the end of a span, the extremes within it, and all leases until its end without incidents. */
    private record Mark(long nanos, Span counts, Extremes extremes, HistogramSnapshot usual) {}

    private record Statistics(
            Figures total,
            Figures recent,
            Duration window,
            Rates acquisitionRates,
            Rates leaseRates,
            int activePeak,
            int pendingPeak)
            implements PoolStatistics {}

    private record Averages(double mean, double oneMinute, double fiveMinutes, double fifteenMinutes) implements Rates {
        static final Averages ZERO = new Averages(0, 0, 0, 0);
    }

    /** The figures of one span of time. */
    record Span(
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
        private static final HistogramSnapshot NO = HistogramSnapshot.EMPTY;
        private static final CountDistribution NONE = CountDistribution.EMPTY;
        static final Span EMPTY = new Span(Map.of(), NO, NO, NO, NONE, NONE, NONE, NONE, NONE, 0, 0, 0, 0, 0, 0, 0);

        @Override
        public HistogramSnapshot acquisition(AcquisitionOutcome outcome) {
            return acquisitions.getOrDefault(outcome, HistogramSnapshot.EMPTY);
        }

        @Override
        public long counter(PoolMetric metric) {
            return switch (metric) {
                case TIMEOUTS -> acquisition(AcquisitionOutcome.TIMEOUT).count();
                case GROWTHS -> growths;
                case SHRINKS -> shrinks;
                case REFUSED_GROWTHS -> refusedGrowths;
                case CONNECT_FAILURES -> connectFailures;
                case LEAKS_SUSPECTED -> leaksSuspected;
                case NESTED_ACQUISITIONS -> nestedAcquisitions;
                case LISTENER_ERRORS -> listenerErrors;
                default -> throw mustBe(metric, PoolMetric.Kind.COUNTER);
            };
        }

        @Override
        public HistogramSnapshot durations(PoolMetric metric, AcquisitionOutcome outcome) {
            return switch (metric) {
                case ACQUISITION -> acquisition(outcome);
                case ATTEMPT -> attempts;
                case LEASE -> leases;
                case CONNECT -> connects;
                case CLASS_WAIT -> acquisition(AcquisitionOutcome.OK);
                default -> throw mustBe(metric, PoolMetric.Kind.TIMER);
            };
        }

        @Override
        public CountDistribution numbers(PoolMetric metric) {
            return switch (metric) {
                case ACTIVE_SAMPLED -> active;
                case PENDING_SAMPLED -> pending;
                case LIMIT_SAMPLED -> limit;
                case GROWN_BY_SAMPLED -> grownBy;
                case RETRIES -> retries;
                default -> throw mustBe(metric, PoolMetric.Kind.DISTRIBUTION);
            };
        }

        private static IllegalArgumentException mustBe(PoolMetric metric, PoolMetric.Kind wanted) {
            return new IllegalArgumentException(
                    metric + ": is a " + metric.kind() + (metric.perClass() ? " of each class" : "") + ", must be a "
                            + wanted.name().toLowerCase(Locale.ROOT));
        }

        private Span since(Span then, Extremes extremes) {
            Map<AcquisitionOutcome, HistogramSnapshot> acquired = new EnumMap<>(AcquisitionOutcome.class);
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                acquired.put(outcome, extremes.acquisitions(outcome, acquisition(outcome), then.acquisition(outcome)));
            }
            return new Span(
                    acquired,
                    extremes.attempts(attempts, then.attempts),
                    extremes.leases(leases, then.leases),
                    extremes.connects(connects, then.connects),
                    active.since(then.active),
                    pending.since(then.pending),
                    limit.since(then.limit),
                    grownBy.since(then.grownBy),
                    retries.since(then.retries),
                    growths - then.growths,
                    shrinks - then.shrinks,
                    refusedGrowths - then.refusedGrowths,
                    connectFailures - then.connectFailures,
                    leaksSuspected - then.leaksSuspected,
                    nestedAcquisitions - then.nestedAcquisitions,
                    listenerErrors - then.listenerErrors);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Recorder recorder;
    private final LongSupplier listenerErrors;
    private final Counted counted;
    private final Samples active = new Samples();
    private final Samples pending = new Samples();
    private final Samples limit = new Samples();
    private final Samples grownBy = new Samples();
    private final Peaks activePeaks;
    private final Peaks pendingPeaks;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private final Rate acquisitionRate = new Rate();
    private final Rate leaseRate = new Rate();
    private final IncidentFilter incidents;
    private final long startNanos;
    private Extremes ever = Extremes.NONE;

    /** Creates the history of a pool that starts at {@code nowNanos}, with waits of at most {@code timeoutNanos}. */
    public StatisticsHistory(Recorder recorder, LongSupplier listenerErrors, long nowNanos, long timeoutNanos) {
        this.incidents = new IncidentFilter(Math.min(timeoutNanos, WINDOW_NANOS));
        this.recorder = recorder;
        this.listenerErrors = listenerErrors;
        this.startNanos = nowNanos;
        this.activePeaks = new Peaks(nowNanos);
        this.pendingPeaks = new Peaks(nowNanos);
        this.counted = new Counted(recorder);
        // The recorder is new at that time: all its counts belong to the history.
        marks.add(new Mark(nowNanos, Span.EMPTY, Extremes.NONE, HistogramSnapshot.EMPTY));
    }

    /** Takes one sample, and a copy if one is due. */
    public void tick(long nowNanos, PoolState state) {
        lock.lock();
        try {
            int limitNow = state.bound() ? state.limit() : state.pool().max();
            active.add(state.leased());
            pending.add(state.pending());
            activePeaks.add(nowNanos, state.leased());
            pendingPeaks.add(nowNanos, state.pending());
            if (limitNow != PoolSnapshot.UNKNOWN) {
                limit.add(limitNow);
            }
            grownBy.add(state.bound() ? state.limit() - state.base() : 0);
            while (nowNanos - marks.getLast().nanos() >= COPY_EVERY_NANOS) {
                acquisitionRate.tick(recorder.acquired());
                leaseRate.tick(recorder.released());
                Extremes extremes = Extremes.of(recorder, true);
                ever = ever.and(extremes);
                Mark before = marks.getLast();
                // Called before the copy: a duration that is recorded in between counts the next time.
                boolean moved = counted.moved(ever.longestLease());
                // After a pause of the tick the missed periods are added, so that rates decay correctly.
                Span counts = moved ? counts() : countsLike(before.counts());
                long end = before.nanos() + COPY_EVERY_NANOS;
                marks.addLast(
                        new Mark(end, counts, extremes, moved ? usual(before, end, counts, extremes) : before.usual()));
                forgetOld(nowNanos);
                if (moved) {
                    updateUsualWait();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The leases without incidents up to the end of the span that begins with a mark. */
    private HistogramSnapshot usual(Mark before, long end, Span counts, Extremes extremes) {
        if (failures(counts) == failures(before.counts())) {
            return incidents.after(
                    before.usual(), before.nanos(), before.counts().leases(), counts.leases(), extremes.longestLease());
        }
        incidents.failed(end);
        HistogramSnapshot usual = HistogramSnapshot.EMPTY;
        for (Mark mark : marks) {
            if (before.nanos() - mark.nanos() >= incidents.timeoutNanos()) {
                usual = mark.usual();
            }
        }
        return usual;
    }

    private static long failures(Span counts) {
        return counts.acquisition(AcquisitionOutcome.TIMEOUT).count()
                + counts.acquisition(AcquisitionOutcome.CONNECT_FAILURE).count();
    }

    /** Records the most open leases and the most pending requests since the last tick. */
    public void peaked(long nowNanos, int leased, int waiting) {
        lock.lock();
        try {
            activePeaks.add(nowNanos, leased);
            pendingPeaks.add(nowNanos, waiting);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Updates the usual wait: it falls at once, and rises by a twentieth a copy, from a millisecond to 60 in seven
     * minutes. Waits during a shortage must not soon count as usual, because growth must end them. Therefore the first
     * value is of the attempts, without the wait at the gate. A pool that is short of connections from its first
     * request on has no other acquisitions. A minute without requests changes nothing.
     */
    private void updateUsualWait() {
        Span before = marks.getFirst().counts();
        Span now = marks.getLast().counts();
        HistogramSnapshot then = before.acquisition(AcquisitionOutcome.OK);
        HistogramSnapshot acquired = now.acquisition(AcquisitionOutcome.OK);
        if (acquired.count() - then.count() >= ENOUGH_FOR_PERCENTILES) {
            long usual = recorder.usualWaitNanos();
            long highest = usual == Long.MAX_VALUE
                    ? now.attempts().since(before.attempts(), UNKNOWN, UNKNOWN).percentileNanos(0.99)
                    : Math.max(usual, SHORT_WAIT_NANOS) / 20 * 21;
            recorder.usualWait(Math.min(acquired.since(then, UNKNOWN, UNKNOWN).percentileNanos(0.99), highest));
        }
    }

    public PoolStatistics statistics(long nowNanos) {
        lock.lock();
        try {
            forgetOld(nowNanos);
            Mark from = marks.getFirst();
            Extremes open = Extremes.of(recorder, false);
            // The oldest mark's span lies before the window.
            Extremes recent = marks.stream().skip(1).map(Mark::extremes).reduce(open, Extremes::and);
            Span now = counts();
            return new Statistics(
                    now.since(Span.EMPTY, ever.and(open)),
                    now.since(from.counts(), recent),
                    Duration.ofNanos(nowNanos - from.nanos()),
                    acquisitionRate.rates(recorder.acquired(), nowNanos - startNanos),
                    leaseRate.rates(recorder.released(), nowNanos - startNanos),
                    activePeaks.highest(nowNanos),
                    pendingPeaks.highest(nowNanos));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the lease times of the last minute, and the usual times. These are of the time before the last minute if
     * it had enough leases, otherwise up to the first later copy with enough. Leases while requests failed, and shortly
     * before, are left out.
     */
    public UsualLeases past(long nowNanos) {
        lock.lock();
        try {
            forgetOld(nowNanos);
            Mark from = marks.getFirst();
            HistogramSnapshot now = recorder.leaseTimes().snapshot();
            HistogramSnapshot usual = marks.stream()
                    .map(Mark::usual)
                    .filter(leases -> leases.count() >= UsualLeases.ENOUGH)
                    .findFirst()
                    .orElse(incidents.anyFailed() ? marks.getLast().usual() : now);
            return new UsualLeases(usual, now.since(from.counts().leases(), UNKNOWN, UNKNOWN), nowNanos - from.nanos());
        } finally {
            lock.unlock();
        }
    }

    private void forgetOld(long nowNanos) {
        // The window is at most a minute, so that a change shows fully after one minute.
        while (marks.size() > 1 && nowNanos - marks.getFirst().nanos() > WINDOW_NANOS) {
            marks.removeFirst();
        }
    }

    /** Returns a copy of all counts; extremes only of the leases, for {@link #past}. */
    Span counts() {
        // Leases first: each is counted as acquired before it is counted as ended.
        HistogramSnapshot leases = recorder.leaseTimes().snapshot(ever.shortestLease(), ever.longestLease());
        HistogramSnapshot direct = recorder.direct().snapshot();
        Map<AcquisitionOutcome, HistogramSnapshot> acquisitions = new EnumMap<>(AcquisitionOutcome.class);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            HistogramSnapshot detoured =
                    Objects.requireNonNull(recorder.detoured.get(outcome)).snapshot();
            acquisitions.put(outcome, outcome == AcquisitionOutcome.OK ? detoured.plus(direct) : detoured);
        }
        return counts(
                acquisitions, direct.plus(recorder.detouredAttempts.snapshot()), leases, recorder.connects.snapshot());
    }

    /** As {@link #counts()}; reuses the histograms of an earlier copy after which no duration was recorded. */
    private Span countsLike(Span earlier) {
        return counts(earlier.acquisitions(), earlier.attempts(), earlier.leases(), earlier.connects());
    }

    private Span counts(
            Map<AcquisitionOutcome, HistogramSnapshot> acquisitions,
            HistogramSnapshot attempts,
            HistogramSnapshot leases,
            HistogramSnapshot connects) {
        return new Span(
                acquisitions,
                attempts,
                leases,
                connects,
                active.distribution(),
                pending.distribution(),
                limit.distribution(),
                grownBy.distribution(),
                recorder.retries(),
                recorder.growths.get(),
                recorder.shrinks.get(),
                recorder.refusedGrowths.get(),
                recorder.connectFailures.get(),
                recorder.leaksSuspected.get(),
                recorder.nestedAcquisitions.sum(),
                listenerErrors.getAsLong());
    }

    /** Moving averages of a cumulative count's rate, as in Unix load averages, updated with each copy. */
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

    /**
     * Usual and recent lease times.
     *
     * @param usual lease times before the last minute, or all lease times if there are none before; without incidents
     * @param recent lease times of the last minute
     * @param windowNanos length of the recent window, shorter just after the start
     */
    public record UsualLeases(HistogramSnapshot usual, HistogramSnapshot recent, long windowNanos) {
        /** The minimum for a comparison. */
        public static final int ENOUGH = 20;

        public static final UsualLeases NONE = new UsualLeases(HistogramSnapshot.EMPTY, HistogramSnapshot.EMPTY, 0);

        /** Whether there are enough usual leases for a comparison. */
        public boolean known() {
            return usual.count() >= ENOUGH;
        }

        /**
         * The average age of an open lease if leases last as usual. A snapshot finds long leases more often than short
         * ones (inspection paradox), so it is E[t²] / (2 E[t]).
         */
        public double usualAgeNanos() {
            double mean = usual.meanNanos();
            double deviation = usual.stdDevNanos();
            return mean == 0 ? 0 : (deviation * deviation + mean * mean) / (2 * mean);
        }
    }
}
