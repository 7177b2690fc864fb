// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import io.flexpool.benchmarks.shootout.Result.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scenario")
class ShootOutBenchmarkTest {
    private static Setup setup(Variant... variants) {
        return new Setup(
                EnumSet.of(ShootOutPool.HIKARICP),
                EnumSet.of(variants[0], variants),
                ShootOutDatabase.STUB,
                List.of(1, 2, 3),
                10,
                1,
                Duration.ofSeconds(4),
                1,
                true);
    }

    /** Hangs with two threads, and if flexpool is to be there, ends while it warms up. */
    static final class Troubled {
        private Troubled() {}

        public static void main(String[] args) throws Exception {
            Assignment assignment = Contest.JSON.readValue(System.in, Assignment.class);
            if (assignment.variant() != Variant.BARE) {
                System.err.println("no pool today");
                System.exit(7);
            }
            FreshJvm.report(Contest.MARK, Contest.WARM);
            for (Round round : assignment.rounds()) {
                while (round.threads() == 2) {
                    LockSupport.park();
                }
                Heat heat = new Heat(round, 1, 1, round.cycles(), 0, null, 10, 10, 10);
                FreshJvm.report(Contest.MARK, Contest.JSON.writeValueAsString(heat));
            }
        }
    }

    private static List<Result> run(ShootOutBenchmark benchmark) throws Exception {
        try (Progress progress = new Progress("test", 1)) {
            return benchmark.run(progress);
        }
    }

    @Test
    void aRoundThatHangsIsEndedAndTheOthersAreMeasured() throws Exception {
        List<Result> results = run(new ShootOutBenchmark(setup(Variant.BARE), () -> false, Troubled.class));

        assertThat(results)
                .extracting(result -> result.round().threads() + " " + result.outcome())
                .containsExactlyInAnyOrder("1 MEASURED", "2 HUNG", "3 MEASURED", "100 MEASURED")
                .endsWith("100 MEASURED");
        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.HUNG)
                .extracting(Result::why)
                .containsExactly("not over within 4 s");
    }

    @Test
    void aJvmThatEndsIsReportedWithItsOutput() throws Exception {
        List<Result> results = run(new ShootOutBenchmark(setup(Variant.FLEXPOOL), () -> false, Troubled.class));

        assertThat(results).hasSize(4).allSatisfy(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.heat()).isNull();
            assertThat(result.why()).contains("ended with 7").contains("no pool today");
        });
    }

    /** Bare it ends at once. With flexpool it runs when the interrupt comes; watched, it is interrupted first. */
    static final class Interrupted {
        /** A signal's. */
        private static final int EXIT_CODE = 143;

        private Interrupted() {}

        /** Exists once a stop was requested. */
        static Path asked(long parent) {
            return Path.of(System.getProperty("java.io.tmpdir"), "shoot-out-interrupted-" + parent);
        }

        public static void main(String[] args) throws Exception {
            Assignment assignment = Contest.JSON.readValue(System.in, Assignment.class);
            FreshJvm.report(Contest.MARK, Contest.WARM);
            if (assignment.variant() != Variant.BARE) {
                Files.createFile(
                        asked(ProcessHandle.current().parent().orElseThrow().pid()));
            }
            if (assignment.variant() == Variant.FLEXPOOL_WATCHED) {
                Runtime.getRuntime().halt(EXIT_CODE);
            }
            for (Round round : assignment.rounds()) {
                Heat heat = new Heat(round, 1, 1, round.cycles(), 0, null, 10, 10, 10);
                FreshJvm.report(Contest.MARK, Contest.JSON.writeValueAsString(heat));
            }
            while (assignment.variant() != Variant.BARE) {
                LockSupport.park();
            }
        }
    }

    private static boolean receives(Stream<StackWalker.StackFrame> stack) {
        return stack.anyMatch(frame -> frame.getMethodName().equals("onLine"));
    }

    @Test
    void anInterruptKeepsWhatWasMeasured() throws Exception {
        Path asked = Interrupted.asked(ProcessHandle.current().pid());
        AtomicBoolean stopped = new AtomicBoolean();
        // Just when a heat comes in, and not before.
        BooleanSupplier stop = () -> {
            if (Files.exists(asked) && StackWalker.getInstance().walk(ShootOutBenchmarkTest::receives)) {
                stopped.set(true);
            }
            return stopped.get();
        };
        try {
            List<Result> results =
                    run(new ShootOutBenchmark(setup(Variant.BARE, Variant.FLEXPOOL), stop, Interrupted.class));

            assertThat(asked).exists();
            assertThat(results).extracting(Result::variant).containsOnly(Variant.BARE);
            assertThat(results).extracting(Result::outcome).containsOnly(Outcome.MEASURED);
        } finally {
            Files.deleteIfExists(asked);
        }
    }

    @Test
    void aJvmEndedByTheSignalIsNoFailure() throws Exception {
        Path asked = Interrupted.asked(ProcessHandle.current().pid());
        AtomicLong seenAt = new AtomicLong();
        // Late enough for the JVM's end to be seen before.
        BooleanSupplier late = () -> {
            if (Files.exists(asked)) {
                seenAt.compareAndSet(0, System.nanoTime());
            }
            return seenAt.get() != 0 && System.nanoTime() - seenAt.get() > 400_000_000;
        };
        try {
            assertThat(run(new ShootOutBenchmark(setup(Variant.FLEXPOOL_WATCHED), late, Interrupted.class)))
                    .isEmpty();
        } finally {
            Files.deleteIfExists(asked);
        }
    }

    @Test
    void anInterruptBeforeTheFirstHeatStartsNone() throws Exception {
        assertThat(run(new ShootOutBenchmark(setup(Variant.BARE), () -> true, Troubled.class)))
                .isEmpty();
    }

    @Test
    void theSeedGivesTheOrderOfTheThreadCounts() {
        Setup setup = setup(Variant.BARE);

        assertThat(IntStream.range(0, 50)
                        .mapToObj(seed -> setup.rounds(new Random(seed)))
                        .peek(rounds -> assertThat(rounds.get(3).pressing()).isTrue())
                        .map(rounds ->
                                rounds.stream().limit(3).map(Round::threads).toList())
                        .distinct())
                .hasSize(6);
        assertThat(setup.rounds(new Random(7))).isEqualTo(setup.rounds(new Random(7)));
    }
}
