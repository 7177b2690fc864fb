// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A permit goes with the threads that use the pool. Once the first threads that ever came kept the parked permits for
 * good, and all others wrote the word that every thread reads, twice a cycle.
 */
@Timeout(300)
class ParkedCyclesTest {
    /** Of two processors, with eight stripes, the followers have six; of 16 processors each has its own. */
    @ParameterizedTest
    @CsvSource({"2, 4, 6", "16, 10, 8", "16, 4, 8"})
    void theThreadsThatUseAPoolTakeItsParkedPermits(int processors, int base, int stripes) throws Exception {
        List<String> lines = OwnJvm.run(
                ParkedCycles.class,
                List.of(
                        "-XX:ActiveProcessorCount=" + processors,
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        RawMemory.OPTION),
                Integer.toString(base),
                Integer.toString(stripes));
        assertThat(lines)
                .filteredOn(line -> line.startsWith(ParkedCycles.THREAD))
                .isEqualTo(IntStream.range(0, ParkedCycles.FOLLOWERS)
                        .mapToObj(follower -> ParkedCycles.THREAD + follower + ": " + ParkedCycles.CYCLES + " taken, "
                                + ParkedCycles.CYCLES + " parked")
                        .toList());
    }
}
