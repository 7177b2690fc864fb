// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.Arrays;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Copies that are taken while others record. */
public class RecorderStress {
    /** A copy of the recorder while a connection is acquired and released. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the copy was first")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "acquired, and not yet released")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "acquired and released")
    @Outcome(expect = FORBIDDEN, desc = "more releases than acquisitions")
    @State
    public static class CopyAgainstALease {
        private final Recorder recorder = new Recorder();
        private final SlotRecords slot = recorder.add(new SlotRecords());
        private final StatisticsHistory history = new StatisticsHistory(recorder, () -> 0, 0, Long.MAX_VALUE);

        @Actor
        public void lease() {
            slot.acquired(1_000);
            slot.released(2_000);
        }

        @Actor
        public void copy(JJ_Result r) {
            StatisticsHistory.Span copy = history.counts();
            r.r1 = copy.acquisition(AcquisitionOutcome.OK).count();
            r.r2 = copy.leases().count();
        }
    }

    /** The same with a request that waited or was retried. */
    @JCStressTest
    @Outcome(
            id = {"0, 0", "1, 0", "1, 1"},
            expect = ACCEPTABLE,
            desc = "not more releases than acquisitions")
    @Outcome(expect = FORBIDDEN, desc = "more releases than acquisitions")
    @State
    public static class CopyAgainstALeaseAfterADetour {
        private final Recorder recorder = new Recorder();
        private final SlotRecords slot = recorder.add(new SlotRecords());
        private final StatisticsHistory history = new StatisticsHistory(recorder, () -> 0, 0, Long.MAX_VALUE);

        @Actor
        public void lease() {
            recorder.acquiredAfterDetour(1_000, 500);
            slot.released(2_000);
        }

        @Actor
        public void copy(JJ_Result r) {
            StatisticsHistory.Span copy = history.counts();
            r.r1 = copy.acquisition(AcquisitionOutcome.OK).count();
            r.r2 = copy.leases().count();
        }
    }

    /** The number of connections out, while one goes out and comes back beside one that stays out. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "2, 1"},
            expect = ACCEPTABLE,
            desc = "one or two are active; in the end one")
    @Outcome(expect = FORBIDDEN, desc = "an active connection was not counted, or one too many")
    @State
    public static class ActiveAgainstALease {
        private final Recorder recorder = new Recorder();
        private final SlotRecords slot = recorder.add(new SlotRecords());

        public ActiveAgainstALease() {
            recorder.add(new SlotRecords()).acquired(1_000);
        }

        @Actor
        public void lease() {
            slot.acquired(1_000);
            slot.released(2_000);
        }

        @Actor
        public void look(II_Result r) {
            r.r1 = recorder.active();
        }

        @Arbiter
        public void count(II_Result r) {
            r.r2 = recorder.active();
        }
    }

    /** A copy while one duration is recorded: the count is the buckets' sum; the sum may be one record behind. */
    @JCStressTest
    @Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "the copy was first")
    @Outcome(id = "1, 1, 1000", expect = ACCEPTABLE, desc = "the record was first")
    @Outcome(
            id = "1, 1, 0",
            expect = ACCEPTABLE_INTERESTING,
            desc = "counted, and the sum not yet: the next copy has it")
    @Outcome(
            expect = FORBIDDEN,
            desc = "the count is not the sum of the buckets, or a duration was counted that was not recorded")
    @State
    public static class SnapshotAgainstARecord {
        private final SharedHistogram histogram = new SharedHistogram();

        @Actor
        public void recordOne() {
            histogram.record(1_000);
        }

        @Actor
        public void copy(JJJ_Result r) {
            HistogramSnapshot snapshot = histogram.snapshot();
            r.r1 = snapshot.count();
            r.r2 = Arrays.stream(snapshot.counts()).sum();
            r.r3 = snapshot.sumNanos();
        }
    }

    /** Two threads record at once: the counts, the sum and the longest hold both. */
    @JCStressTest
    @Outcome(id = "2, 3000, 2000", expect = ACCEPTABLE, desc = "both are there")
    @Outcome(expect = FORBIDDEN, desc = "a record was lost")
    @State
    public static class TwoRecordsAtOnce {
        private final SharedHistogram histogram = new SharedHistogram();

        @Actor
        public void shorter() {
            histogram.record(1_000);
        }

        @Actor
        public void longer() {
            histogram.record(2_000);
        }

        @Arbiter
        public void count(JJJ_Result r) {
            HistogramSnapshot snapshot = histogram.snapshot(histogram.shortest(false), histogram.longest(false));
            r.r1 = snapshot.count();
            r.r2 = snapshot.sumNanos();
            r.r3 = snapshot.maxNanos();
        }
    }

    /** A slot's histogram gets a further block while it is copied. */
    @JCStressTest
    @Outcome(
            id = {"1, 1", "2, 2"},
            expect = ACCEPTABLE,
            desc = "what was there before, with or without the new one")
    @Outcome(expect = FORBIDDEN, desc = "a record was lost or counted twice")
    @State
    public static class CopyAgainstAFurtherBlock {
        private final Recorder recorder = new Recorder();
        private final SlotRecords slot = recorder.add(new SlotRecords());

        public CopyAgainstAFurtherBlock() {
            slot.acquired(1_000);
        }

        @Actor
        public void acquire() {
            slot.acquired(1_000_000);
        }

        @Actor
        public void copy(JJ_Result r) {
            HistogramSnapshot copy = recorder.direct().snapshot();
            r.r1 = copy.count();
            r.r2 = Arrays.stream(copy.counts()).sum();
        }
    }

    /** A span ends while a slot records its longest lease: it is the longest of exactly one of the two spans. */
    @JCStressTest
    @Outcome(id = "2000, 0", expect = ACCEPTABLE, desc = "it belongs to the span that ended")
    @Outcome(id = "0, 2000", expect = ACCEPTABLE, desc = "it belongs to the span that began")
    @Outcome(expect = FORBIDDEN, desc = "the longest lease was lost or reported twice")
    @State
    public static class TakeMaxAgainstASlotsRecord {
        private final Recorder recorder = new Recorder();
        private final SlotRecords slot = recorder.add(new SlotRecords());

        @Actor
        public void recordOne() {
            slot.released(2_000);
        }

        @Actor
        public void endSpan(JJ_Result r) {
            r.r1 = recorder.leaseTimes().longest(true);
        }

        @Arbiter
        public void endNextSpan(JJ_Result r) {
            r.r2 = recorder.leaseTimes().longest(true);
        }
    }

    /** A span ends while a duration is recorded: it is the longest of exactly one of the two spans. */
    @JCStressTest
    @Outcome(id = "2000, 0", expect = ACCEPTABLE, desc = "it belongs to the span that ended")
    @Outcome(id = "0, 2000", expect = ACCEPTABLE, desc = "it belongs to the span that began")
    @Outcome(expect = FORBIDDEN, desc = "the longest duration was lost or reported twice")
    @State
    public static class TakeMaxAgainstARecord {
        private final SharedHistogram histogram = new SharedHistogram();

        @Actor
        public void recordOne() {
            histogram.record(2_000);
        }

        @Actor
        public void endSpan(JJ_Result r) {
            r.r1 = histogram.longest(true);
        }

        @Arbiter
        public void endNextSpan(JJ_Result r) {
            r.r2 = histogram.longest(true);
        }
    }
}
