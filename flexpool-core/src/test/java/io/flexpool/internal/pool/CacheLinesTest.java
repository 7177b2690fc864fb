// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No thread writes in each of its cycles where another thread reads or writes in each of its own, after a collection
 * too. Once the last slot of each stripe lay on a line with what the next stripe's thread read: a pool took two to
 * three times as long for its whole life.
 */
@Timeout(300)
class CacheLinesTest {
    private static final int POOLS = 10;
    private static final int MANY_POOLS = 40;
    /** Two processors have eight stripes. */
    private static final List<String> JVM =
            List.of("-XX:ActiveProcessorCount=2", "-Xmx256m", "-XX:TieredStopAtLevel=1", RawMemory.OPTION);

    /** Room for all threads: what they do if there is less is {@link ParkedCyclesTest}. */
    private static final String BOUND = "16";

    private static final String WATCHED = "0";

    @ParameterizedTest
    @CsvSource({"G1, " + BOUND + ", true", "Parallel, " + WATCHED + ", false"})
    void eachStripeHasItsLinesForItself(String collector, String base, boolean classed) throws Exception {
        assertNothingIsShared(collector, base, classed, POOLS);
    }

    @ParameterizedTest
    @CsvSource({
        "G1, " + BOUND + ", false",
        "G1, " + BOUND + ", true",
        "Parallel, " + WATCHED + ", false",
        "G1, " + WATCHED + ", false",
        "Parallel, " + BOUND + ", false",
        "Parallel, " + BOUND + ", true"
    })
    @Tag("scenario")
    void inManyPoolsToo(String collector, String base, boolean classed) throws Exception {
        assertNothingIsShared(collector, base, classed, MANY_POOLS);
    }

    private static void assertNothingIsShared(String collector, String base, boolean classed, int pools)
            throws Exception {
        List<String> options = new ArrayList<>(JVM);
        options.add("-XX:+Use" + collector + "GC");
        List<String> lines =
                OwnJvm.run(CacheLines.class, options, Integer.toString(pools), base, Boolean.toString(classed));
        assertThat(lines)
                .filteredOn(line -> line.startsWith(CacheLines.WRITTEN))
                .as("each thread was seen to write")
                .hasSize(3 * pools)
                .noneMatch(line -> line.matches(".*[\\[ ]0[,\\]].*"));
        assertThat(lines).filteredOn(line -> line.startsWith(CacheLines.SHARED)).isEmpty();
    }
}
