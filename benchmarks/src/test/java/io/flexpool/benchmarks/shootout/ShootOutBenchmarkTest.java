// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import io.flexpool.benchmarks.shootout.Result.Outcome;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ShootOutBenchmarkTest {
    private static Setup setup(Variant... variants) {
        return new Setup(
                EnumSet.of(ShootOutPool.HIKARICP),
                EnumSet.of(variants[0], variants),
                ShootOutDatabase.STUB,
                List.of(1, 2, 3),
                10,
                1,
                Duration.ofSeconds(8),
                1);
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
            FreshJvm.tell(Contest.MARK, Contest.WARM);
            for (Round round : assignment.rounds()) {
                while (round.threads() == 2) {
                    LockSupport.park();
                }
                Heat heat = new Heat(round, 1, 1, round.cycles(), 0, null, 10, 10, 10);
                FreshJvm.tell(Contest.MARK, Contest.JSON.writeValueAsString(heat));
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
                .containsExactly("1 MEASURED", "2 HUNG", "3 MEASURED", "100 MEASURED");
        assertThat(results.get(1).why()).isEqualTo("not over within 8 s");
    }

    @Test
    void aJvmThatEndsByItselfIsToldWithWhatItSaid() throws Exception {
        List<Result> results = run(new ShootOutBenchmark(setup(Variant.FLEXPOOL), () -> false, Troubled.class));

        assertThat(results).hasSize(4).allSatisfy(result -> {
            assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(result.heat()).isNull();
            assertThat(result.why()).contains("ended with 7").contains("no pool today");
        });
    }

    @Test
    void whoIsInterruptedLeavesOutWhatWasUnderWay() throws Exception {
        assertThat(run(new ShootOutBenchmark(setup(Variant.BARE), () -> true, Troubled.class)))
                .isEmpty();
    }
}
