// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** One permit taken and given back, where there is room for all: alone, and by two threads at once. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class GateBenchmark {
    private static final int LIMIT = 16;
    /** Nothing waits, so the clock is never read. */
    private static final long NOW = 0;

    private Gate gate = new Gate(LIMIT, System::nanoTime);

    /** An empty gate. */
    @Setup(Level.Iteration)
    public void empty() {
        gate = new Gate(LIMIT, System::nanoTime);
    }

    @Benchmark
    public boolean alone() {
        return pass();
    }

    @Benchmark
    @Threads(2)
    public boolean byTwo() {
        return pass();
    }

    private boolean pass() {
        boolean entered = gate.tryEnter(NOW);
        gate.exit(NOW);
        return entered;
    }
}
