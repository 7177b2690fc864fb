// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** The two records of one cycle, alone and by two threads at once, and the copy of all figures. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class RecorderBenchmark {
    private final Recorder recorder = new Recorder();
    private final StatisticsHistory history = new StatisticsHistory(recorder, () -> 0, 0, Long.MAX_VALUE);

    /** What a thread records: durations that change, so that they do not all go into one bucket. */
    @State(Scope.Thread)
    public static class Durations {
        private long next = 1;

        long nanos() {
            next = next * 6364136223846793005L + 1442695040888963407L;
            // 0 to 65 µs.
            return next >>> 48;
        }
    }

    /** The slot of one thread: there is one writer at a time. */
    @State(Scope.Thread)
    public static class SlotOfOne {
        private SlotRecords records = new SlotRecords();

        /** Adds the slot to those that are copied. */
        @Setup
        public void add(RecorderBenchmark benchmark) {
            records = benchmark.recorder.add(new SlotRecords());
        }
    }

    @Benchmark
    public void alone(SlotOfOne slot, Durations durations) {
        record(slot, durations);
    }

    @Benchmark
    @Threads(2)
    public void byTwo(SlotOfOne slot, Durations durations) {
        record(slot, durations);
    }

    @Benchmark
    public Object copy() {
        return history.counts();
    }

    private static void record(SlotOfOne slot, Durations durations) {
        slot.records.acquired(durations.nanos());
        slot.records.released(durations.nanos());
    }
}
