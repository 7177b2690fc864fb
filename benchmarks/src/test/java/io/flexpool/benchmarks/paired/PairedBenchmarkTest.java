// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class PairedBenchmarkTest {
    private static final Slicing SHORT = new Slicing(1, 3);
    private static final Slicing LONG = new Slicing(2, 2);

    /** What the stub's pools were asked, in the order in which it was. */
    private final Queue<String> opened = new ConcurrentLinkedQueue<>();

    private final List<String> said = new ArrayList<>();
    private final List<Long> stepped = new ArrayList<>();
    private final List<Long> collections = new ArrayList<>();
    private final List<Long> idle = new ArrayList<>();

    private void step(long steps, String doing) {
        said.add(doing);
        stepped.add(steps);
        collections.add(fullCollections());
        idle.add(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("benchmark-first-"))
                .count());
    }

    /** No young collection comes here by chance. */
    private static long fullCollections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> List.of("G1 Old Generation", "PS MarkSweep", "MarkSweepCompact")
                        .contains(bean.getName()))
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private Map<Slicing, List<Measured>> run() throws Exception {
        return new PairedBenchmark(
                        new Trial("1:2", RecordingWorkload.class, 1, List.of(opened)), List.of("bare", "other"))
                .run(2, List.of(SHORT, LONG), this::step);
    }

    @Test
    void eachPoolsFirstUserIsAThreadThatLivesOnWithoutAConnection() throws Exception {
        run();

        for (String variant : List.of("bare", "other")) {
            List<String> ofVariant =
                    opened.stream().filter(open -> open.startsWith(variant)).toList();
            assertThat(ofVariant.get(0)).isEqualTo(variant + " by benchmark-first-" + variant);
            assertThat(ofVariant.subList(1, ofVariant.size())).containsOnly(variant + " by benchmark-" + variant);
        }
        assertThat(idle).hasSize(2 + 3 + 2).containsOnly(2L);
    }

    @Test
    void aFullCollectionComesBetweenWarmUpAndTheRoundsThatCount() throws Exception {
        run();

        assertThat(collections.get(1)).isEqualTo(collections.get(0));
        assertThat(collections.get(2)).isEqualTo(collections.get(1) + 1);
        assertThat(collections.get(6)).isEqualTo(collections.get(2));
    }

    @Test
    void everyLengthOfASliceHasItsRoundsAndItsFigures() throws Exception {
        Map<Slicing, List<Measured>> measured = run();

        assertThat(said)
                .containsExactly(
                        "1:2 warm-up",
                        "1:2 warm-up",
                        "1:2 rounds of 1 ms",
                        "1:2 rounds of 1 ms",
                        "1:2 rounds of 1 ms",
                        "1:2 rounds of 2 ms",
                        "1:2 rounds of 2 ms");
        assertThat(stepped).containsExactly(4L, 4L, 1L, 1L, 1L, 2L, 2L);
        assertThat(measured.keySet()).containsExactly(SHORT, LONG);
        assertThat(measured.values()).allSatisfy(figures -> {
            assertThat(figures).extracting(Measured::variant).containsExactly("bare", "other");
            assertThat(figures).allSatisfy(one -> assertThat(one.cpuMedianNs()).isPositive());
            assertThat(figures.get(0).diffMedianNs()).isZero();
            // Read in the first round of each kind.
            assertThat(figures).extracting(Measured::figuresRead).containsExactly(3L, 3L);
        });
    }
}
